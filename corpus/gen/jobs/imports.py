import json
import os.path

LIMIT = 3


def summarize(rows, sep=", "):
    """Join what the first rows are."""
    from collections import Counter
    kinds = Counter(row["kind"] for row in rows)
    return json.dumps({"file": os.path.basename("a/b"), "kinds": sep.join(sorted(kinds)[:LIMIT])})


payload = summarize
