def lines(source, limit=None):
    try:
        for n, line in enumerate(source):
            if limit is not None and n >= limit:
                return
            yield line.strip()
    finally:
        source = None


payload = lines
