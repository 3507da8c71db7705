def encode(value):
    try:
        import ujson as json
    except ImportError:
        import json
    with open("out.json", "w") as sink:
        sink.write(json.dumps(value))


payload = encode
