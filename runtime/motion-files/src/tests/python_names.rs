//! Scripts in which lists have several names, and small scripts that grow without end. What Python plays was found with
//! Python.

use super::python_functions::{played, plays, refused};
use crate::read;

/// Scripts in which a list has another name, or another owner, than the one that plays it.
#[test]
fn a_list_that_is_changed_by_another_name_is_never_played_as_it_was() {
    let play = "m.angleInterpolation(['A'], keys, [[1.0]], True)\n";
    for script in [
        "row = [0.1]\nkeys = [row]\nlast = row\nrow = [0.2]\nlast[0] = 0.9\n",
        "keys = [[0.1]]\ndef more(k=keys):\n    k[0][0] = 0.9\nmore()\n",
        "keys = [[0.1]]\ndef get():\n    k = keys\n    return k\nx = get()\nx[0][0] = 0.9\n",
        "keys = [[0.1]]\nclass W:\n    frames = keys\nW.frames[0][0] = 0.9\n",
        "keys = [[0.1]]\nclass D:\n    def __init__(self):\n        self.keys = keys\n    def scale(self):\n        \
         self.keys[0][0] = 0.9\nd = D()\nd.scale()\n",
        "keys = [[0.1]]\ndo = [lambda: keys[0].append(0.2)]\ndo[0]()\n",
        "keys = [[0.1]]\nprint(keys := [[0.9]])\n",
        "def put(n, v):\n    globals()[n] = v\nkeys = [[0.1]]\nput('keys', [[0.9]])\n",
        "keys = 0\ndef fix():\n    for r in keys: r[0] = 0.9\nkeys = [[0.1]]\nfix()\n",
        "match g:\n    case 'wave':\n        keys = [[0.1]]\n    case _:\n        keys = [[0.9]]\n",
        "keys = [[0.1]]\nif __name__ == '__main__' and fast:\n    keys = [[0.9]]\n",
        "keys = [[0.1]]\na = keys\nb = a\nb.append([0.2])\n",
        "k = 0.1\n[k] = [0.9]\nkeys = [[k]]\n",
        "k = 0.1\n(k) = 0.9\nkeys = [[k]]\n",
    ] {
        refused(&format!("{script}{play}"));
    }
    for script in [
        "d = D()\ndef go():\n    d.keys = [[0.1]]\n    d.change()\n    \
         m.angleInterpolation(['A'], d.keys, [[1.0]], True)\ngo()\n",
        "cfg.keys = [[0.1]]\ndef faster():\n    cfg.keys = [[0.9]]\nfaster()\n\
         m.angleInterpolation(['A'], cfg.keys, [[1.0]], True)\n",
        "d.keys = [[0.1]]\nd = C()\nm.angleInterpolation(['A'], d.keys, [[1.0]], True)\n",
        "P.keys = [[0.1]]\nP.change()\nm.angleInterpolation(['A'], P.keys, [[1.0]], True)\n",
        "keys = [[0.1]]\ndef outer():\n    def play():\n        m.angleInterpolation(['A'], keys, [[1.0]], True)\n    \
         keys = [[0.9]]\n    play()\nouter()\n",
        "class R:\n    def play(self, names, times, keys):\n        keys = [[k * 2 for k in r] for r in keys]\n        \
         self.m.angleInterpolation(names, keys, times, True)\n    def wave(self):\n        names = ['A']; \
         times = [[1.0]]; keys = [[30]]\n        self.play(names, times, keys)\n",
        "class R:\n    def angleInterpolation(self, n, k, t):\n        pass\nr = R()\n\
         r.angleInterpolation(['A'], [[0.1]], [[1.0]])\n",
        "m.angleInterpolation(['A'], [[0.1]], [[1.0]], [])\nm.angleInterpolation(*all)\n",
    ] {
        let lists = played(script);
        assert!(lists.is_err(), "{lists:?} of\n{script}");
    }
}

#[test]
fn branches_imports_and_counts_are_read_as_people_write_them() {
    let branches = "if g == 'wave':\n    names=['A']; times=[[1.0]]; keys=[[0.1]]\n    \
                    m.angleInterpolation(names, keys, times, True)\nelif g == 'bow':\n    names=['A']; times=[[1.0]]; \
                    keys=[[0.2]]\n    m.angleInterpolation(names, keys, times, True)\n";
    assert_eq!(played(branches), Ok(vec![vec![0.1], vec![0.2]]));
    let rad = std::f64::consts::PI / 180.0;
    let play = |keys: &str, head: &str| {
        format!("{head}t = 0.5\nt += 0.5\nm.angleInterpolation(['A'], [[{keys}]], [[t]], True)\n")
    };
    plays(&play("30*m.TO_RAD", "import almath as m\n"), &[30.0 * rad]);
    plays(&play("pi/2", "from math import pi\n"), &[90.0 * rad]);
    plays(
        &play("r(30)", "from math import radians as r\n"),
        &[30.0 * rad],
    );
    plays(
        &play("radians(1)", "from math import degrees as radians\n"),
        &[1.0 / rad],
    );
    plays(&play("float(1)/2", ""), &[0.5]);
}

/// Small files that would end a program without limits.
#[test]
fn what_grows_without_end_is_refused() {
    let play = "m.angleInterpolation(a, a, a, True)\n";
    for text in [
        "async\nasync:\nasync as x:\n".to_owned(),
        format!("x = {}0{}\n", "a[".repeat(20_000), "]".repeat(20_000)),
        format!("{}a{} = x\n", "(".repeat(20_000), ",)".repeat(20_000)),
        format!("a = []\n{}", "a = [a]\n".repeat(60_000)),
        format!("a = [1]\n{}{play}", "a = [a, a]\n".repeat(60)),
        format!("a = [1]\n{}{play}", "a = a + a\n".repeat(60)),
        format!("a = [1]\n{}{play}", "a.extend(a)\n".repeat(60)),
        format!("a = [1]\n{}{play}", "a += a\n".repeat(60)),
        format!("a = 'x'\n{}{play}", "a = a + a\n".repeat(60)),
        format!("a = [] * 1000000000000000000\n{play}"),
        format!(
            "k = [1]\n{}{}",
            (0..3_000)
                .map(|at| format!("a{at} = k\n"))
                .collect::<String>(),
            "f(k)\n".repeat(3_000)
        ),
        format!("k = []\n{}[{}]\n", "a=".repeat(20_000), "k,".repeat(20_000)),
        format!("y = []\nx = {}y\n", "y+".repeat(20_000)),
        format!("x = a{}\n", ".a".repeat(200_000)),
    ] {
        assert!(
            read("a.py", text.as_bytes()).is_err(),
            "{}",
            &text[..40.min(text.len())]
        );
    }
}
