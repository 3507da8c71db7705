import types

made = types.ModuleType("made_here")
made.answer = 42
exec("def ask(n):\n    return n * answer\n", made.__dict__)
del made.__builtins__
payload = [made, made.ask]
