"""Writes one pickle of each thing that the libraries at hand can make into a folder; run by loads.py."""
import sys, os, pickle, warnings
warnings.simplefilter('ignore')
out = sys.argv[1]
def put(name, obj, p):
    with open(os.path.join(out, name + ('.pkl' if p == 4 else '_p%d.pkl' % p)), 'wb') as f:
        pickle.dump(obj, f, p)
def tr(name, fn, ps=(4,)):
    for p in ps:
        put(name, fn(), p)
import numpy as np
np.random.seed(0)
tr('array', lambda: np.arange(6).reshape(2, 3), (4, 5) if sys.version_info >= (3, 8) else (4,))
tr('scalar', lambda: np.float64(1.5))
tr('randomstate', lambda: np.random.RandomState(1))
if hasattr(np.random, 'default_rng'):
    tr('generator', lambda: np.random.default_rng(1))
    tr('bitgen', lambda: np.random.PCG64(1))
    tr('mt', lambda: np.random.MT19937(1))
    tr('seedseq', lambda: np.random.SeedSequence(1))
try:
    import pandas as pd
    tr('df', lambda: pd.DataFrame({'a': [1, 2], 'b': ['x', 'y'], 'c': [1., 2.]}))
    tr('series', lambda: pd.Series([1, 2], index=['u', 'v']))
    tr('index', lambda: pd.Index([1, 2]))
    tr('dtindex', lambda: pd.date_range('2020-01-01', periods=3))
    tr('cat', lambda: pd.Series(['a', 'b'], dtype='category'))
except ImportError:
    pass
try:
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.ensemble import RandomForestClassifier
    X = np.array([[0, 0], [1, 1], [2, 1], [3, 0]], float); y = np.array([0, 1, 1, 0])
    tr('tree', lambda: DecisionTreeClassifier(random_state=0).fit(X, y), (4,))
    tr('logistic', lambda: LogisticRegression().fit(X, y), (4,))
    tr('forest', lambda: RandomForestClassifier(n_estimators=1, random_state=0).fit(X, y), (4,))
    from sklearn.preprocessing import StandardScaler
    tr('scaler', lambda: StandardScaler().fit(X), (4,))
except ImportError:
    pass
try:
    import scipy.sparse as sp
    tr('csr', lambda: sp.csr_matrix(np.eye(2)), (4,))
    if hasattr(sp, 'csr_array'): tr('csr_array', lambda: sp.csr_array(np.eye(2)), (4,))
except ImportError:
    pass
