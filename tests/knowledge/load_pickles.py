"""Loads the pickles of a folder and prints what happened, one a line; run by loads.py."""
import os
import pickle
import re
import sys
import warnings

warnings.simplefilter("ignore")
for name in sorted(os.listdir(sys.argv[1])):
    outcome, detail = "ok", ""
    try:
        with open(os.path.join(sys.argv[1], name), "rb") as file:
            loaded = pickle.load(file)
    except BaseException as error:
        outcome, detail = "fails", "%s: %s" % (type(error).__name__, error)
    else:
        try:
            repr(loaded)
            if hasattr(loaded, "predict"):
                loaded.predict([[0, 0]])
        except BaseException as error:
            outcome, detail = "unusable", "%s: %s" % (type(error).__name__, error)
    detail = re.sub(r" from '[^']*.*", "", " ".join(detail.split()))[:90].strip()
    print("%s\t%s\t%s" % (name, outcome, detail))
