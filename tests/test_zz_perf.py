import time, cProfile, pstats
from gittask.verify import verify
from tests.clones import Clone
from tests.memory import NOW


def test_perf(clones):
    a, b = clones(2)
    one, two = Clone(a, "ann"), Clone(b, "bob")
    one.init()
    ids = [one.new(f"t{i}") for i in range(200)]
    one.sync()
    two.init()
    two.sync()
    for r in range(4):
        for i in range(100):
            one.note(ids[i], f"n{r}{i}")
        for i in range(0, 100):
            one.set(ids[i], title=f"x{r}{i}")
        for i in range(50, 150):
            two.set(ids[i], priority=r % 5)
        for i in range(100):
            two.note(ids[-i], f"m{r}")
        one.sync()
        two.sync()
        one.sync()
    s = one.session
    p = cProfile.Profile()
    t = time.perf_counter()
    r = verify(s, "..gittask", NOW)
    t1 = time.perf_counter() - t
    print(len(r.commits), r.files, t1, r.findings[:3])
    p.enable()
    verify(one.session, "..gittask", NOW)
    p.disable()
    pstats.Stats(p).sort_stats("cumtime").print_stats(45)
    assert 0
