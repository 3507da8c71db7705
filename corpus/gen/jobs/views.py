import collections
import types

table = collections.OrderedDict([("a", 1), ("b", 2)])
payload = [table.keys(), table.values(), {"x": 1}.items(), types, type(None), slice(1, 2)]
