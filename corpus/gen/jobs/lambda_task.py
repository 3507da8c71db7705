import math

offset = 10
payload = (lambda x, scale=1: math.sqrt(x) * scale + offset, (2.0,), {"scale": 3})
