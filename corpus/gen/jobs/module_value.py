import helpers

payload = [helpers.clean, helpers.Cleaner]
