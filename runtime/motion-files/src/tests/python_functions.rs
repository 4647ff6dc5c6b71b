//! Scripts whose functions change lists, give them back, or play what they are given: there is a mistake, or the motion
//! is the one that Python itself plays. What Python plays was found with Python.

use crate::{KeyedMotion, NoSurroundings, read};

/// The values of the first joint of each motion; or the mistake.
pub(super) fn played(text: &str) -> Result<Vec<Vec<f64>>, String> {
    let read = read("a.py", text.as_bytes()).map_err(|error| error.to_string())?;
    let motions = read.document.motions(&NoSurroundings, &mut Vec::new());
    let values = |motion: &KeyedMotion| motion.tracks[0].keys.iter().map(|key| key.value).collect();
    Ok(motions
        .map_err(|error| error.to_string())?
        .iter()
        .map(values)
        .collect())
}

pub(super) fn plays(text: &str, values: &[f64]) {
    let played = played(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(played.len(), 1, "{played:?} of\n{text}");
    let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
    let are_near = played[0].len() == values.len() && played[0].iter().zip(values).all(is_near);
    assert!(are_near, "{played:?}, expected {values:?} of\n{text}");
}

/// A script that computes is refused, or played as Python plays it.
fn is_never_wrong(text: &str, values: &[f64]) {
    match played(text) {
        Ok(_) => plays(text, values),
        Err(_) => drop(refused(text)),
    }
}

/// What is told of a script whose lists may be others than its text says.
pub(super) fn refused(text: &str) -> String {
    let why = played(text).expect_err(&format!("it would have to be executed:\n{text}"));
    assert!(why.contains("executed"), "{why}\n{text}");
    why
}

const SET: &str = "self.names=['A']; self.keys=[[0.1]]; self.times=[[1.0]]";
const PLAY: &str = "m.angleInterpolation(self.names, self.keys, self.times, True)";

/// A class whose `go` sets the lists, does this, and plays; with another method before or behind it.
fn object(line: &str, method: &str, end: &str) -> [String; 2] {
    let go = format!("    def go(self):\n        {SET}\n        {line}\n        {PLAY}\n");
    [
        format!("class D:\n{method}{go}{end}"),
        format!("class D:\n{go}{method}{end}"),
    ]
}

#[test]
fn what_methods_do_to_lists_is_followed_or_a_mistake() {
    let right = [
        (
            "self.change()",
            "    def change(self):\n        self.keys=[[0.9]]\n",
            0.9,
        ),
        (
            "self.scale(2.0)",
            "    def scale(self, f):\n        self.keys=[[k*f for k in row] for row in self.keys]\n",
            0.2,
        ),
        (
            "self.scale()",
            "    def scale(self, f=3.0):\n        self.keys=[[k*f for k in row] for row in self.keys]\n",
            0.3,
        ),
        (
            "self.see()",
            "    def see(self):\n        print(len(self.keys))\n",
            0.1,
        ),
    ];
    for (line, method, value) in right {
        for text in object(line, method, "D().go()\n") {
            is_never_wrong(&text, &[value]);
        }
    }
    let wrong = [
        (
            "self.change()",
            "    def change(self):\n        self.keys[0][0]=0.9\n",
        ),
        (
            "self.change()",
            "    def change(self):\n        if rate:\n            self.keys=[[0.9]]\n",
        ),
        (
            "self.change()",
            "    def change(self):\n        for row in self.keys: row[0] = 0.9\n",
        ),
        (
            "self.change()",
            "    def change(self):\n        self.more()\n    def more(self):\n        self.keys[0][0] = 0.9\n",
        ),
        (
            "Thread(target=self.change).start()",
            "    def change(self):\n        self.keys=[[0.9]]\n",
        ),
        (
            "getattr(self, 'chan' + 'ge')()",
            "    def change(self):\n        self.keys=[[0.9]]\n",
        ),
        (
            "self.change(rate)",
            "    def change(self, f):\n        self.keys=[[f]]\n",
        ),
        (
            "self.change()",
            "    def change(self, *a):\n        self.keys=[[0.9]]\n",
        ),
        (
            "change(self)",
            "    def nothing(self): pass\ndef change(d):\n    d.keys=[[0.9]]\n",
        ),
        ("other.change(self)", "    def nothing(self): pass\n"),
        (
            "x = self; x.keys = [[0.9]]",
            "    def nothing(self): pass\n",
        ),
    ];
    for (line, method) in wrong {
        object(line, method, "D().go()\n")
            .iter()
            .for_each(|item| drop(refused(item)));
    }
}

#[test]
fn what_makes_an_object_may_be_played_unless_anything_else_changes_it() {
    let made = format!(
        "class D:\n    def __init__(self):\n        {SET}\n    def go(self):\n        {PLAY}\n"
    );
    is_never_wrong(&format!("{made}D().go()\n"), &[0.1]);
    refused(&format!("{made}d=D()\nd.keys=[[0.9]]\nd.go()\n"));
    refused(&format!(
        "{made}    def change(self):\n        self.keys=[[0.9]]\nd=D()\nd.change()\nd.go()\n"
    ));
    refused(&format!(
        "class D:\n    def __init__(self):\n        {SET}\nclass E:\n    def more(self):\n        {PLAY}\nE().more()\n"
    ));
    let amp = "class M:\n    amp = 0.1\n    def go(self):\n        \
               m.angleInterpolation(['A'],[[self.amp]],[[1.0]],True)\n";
    refused(&format!("{amp}M.amp = 0.6\nM().go()\n"));
}

#[test]
fn helpers_that_add_to_lists_are_followed() {
    let method = "    def add(self, n, t, k):\n        \
                  self.names.append(n); self.times.append(t); self.keys.append(k)\n";
    let lines = "self.names=[]; self.keys=[]; self.times=[]\n        self.add('A', [1.0], [0.25])";
    let go = format!("    def go(self):\n        {lines}\n        {PLAY}\n");
    is_never_wrong(&format!("class D:\n{method}{go}D().go()\n"), &[0.25]);
    is_never_wrong(&format!("class D:\n{go}{method}D().go()\n"), &[0.25]);
    let lists = "names=[]; times=[]; keys=[]\n";
    let call = "m.angleInterpolation(names, keys, times, True)\n";
    let given = "def add(a, b, c, n, t, k):\n    a.append(n)\n    b.append(t)\n    c += [k]\n";
    is_never_wrong(
        &format!("{given}{lists}add(names, times, keys, 'A', [1.0], [0.5])\n{call}"),
        &[0.5],
    );
    let global =
        "def add(n, t, k):\n    names.append(n)\n    times.append(t)\n    keys.append(k)\n";
    is_never_wrong(
        &format!("{global}{lists}add('A', [1.0], [0.5])\n{call}"),
        &[0.5],
    );
    is_never_wrong(
        &format!("{lists}{global}add('A', t=[1.0], k=[0.5])\n{call}"),
        &[0.5],
    );
    // The lists of the caller are not those of the file.
    let inside =
        format!("{global}def go():\n    {lists}    add('A', [1.0], [0.5])\n    {call}go()\n");
    let outside = played(&format!("names=[]; times=[]; keys=[]\n{inside}"));
    assert!(
        outside.is_err() || outside == Ok(vec![vec![0.5]]),
        "{outside:?}"
    );
    // One list for two parameters, and a list that one call leaves for the next.
    refused(&format!(
        "def twice(a, b):\n    a.append([0.5]); b.append([0.6])\n{lists}twice(keys, keys)\n\
                      names.append('A'); times.append([1.0])\n{call}"
    ));
    refused(
        "def more(k, d=[]):\n    d.append(k)\n    return d\nx = more([0.1])\nkeys = more([0.2])\n\
             m.angleInterpolation(['A'], keys, [[1.0]], True)\n",
    );
}

#[test]
fn functions_see_what_is_there_when_they_are_called() {
    let call = "m.angleInterpolation(['A'], [[a]], [[1.0]], True)";
    is_never_wrong(
        &format!(
            "def outer():\n    a=0.1\n    def play():\n        {call}\n    a=0.5\n    play()\nouter()\n"
        ),
        &[0.5],
    );
    is_never_wrong(
        &format!("a=0.1\ndef play():\n    {call}\na=0.5\nplay()\n"),
        &[0.5],
    );
    is_never_wrong(
        &format!("a=0.1\ndef play():\n    {call}\ndef go():\n    a=0.5\n    play()\ngo()\n"),
        &[0.1],
    );
    refused(&format!(
        "def outer():\n    a=0.1\n    def play():\n        {call}\n    a=rate()\n    play()\nouter()\n"
    ));
    refused(&format!(
        "def outer():\n    a=0.1\n    def play():\n        {call}\n    a=0.5\n    qi.async(play)\nouter()\n"
    ));
    // A function that stands before the list that it changes.
    let keys = "keys=[[0.1]]\nfix()\nm.angleInterpolation(['A'], keys, [[1.0]], True)\n";
    refused(&format!("def fix():\n    keys[0][0]=0.9\n{keys}"));
    refused(&format!("def fix():\n    k=keys[0]; k[0]=0.9\n{keys}"));
    refused(&format!(
        "def fix():\n    global keys\n    keys=[[0.9]]\n{keys}"
    ));
    is_never_wrong(
        &format!("def fix():\n    keys=[[0.9]]\n    keys[0][0] = 1\n{keys}"),
        &[0.1],
    );
}

#[test]
fn what_is_executed_on_a_condition_is_a_mistake() {
    let end = "m.angleInterpolation(['A'], keys, [[1.0]], True)\n";
    for line in [
        "debug and keys.append([0.2])",
        "x = debug or keys.extend([[0.2]])",
        "(keys.append([0.1]) if c else keys.append([0.9]))",
        "x = 1 < n < keys.append([0.1])",
        "y = f(not debug and keys.append([0.2]))",
    ] {
        let why = refused(&format!("keys=[[0.1]]\n{line}\n{end}"));
        assert!(why.starts_with("line 2, column"), "{why}");
    }
}

#[test]
fn a_list_that_a_function_gives_back_is_the_same_list() {
    let end = "m.angleInterpolation(['A'], keys, [[1.0]], True)\n";
    let get = "keys=[[0.1]]\ndef get():\n    return keys\n";
    for line in [
        "k2=get()\nk2[0][0]=0.9",
        "for r in get():\n    r[0]=0.9",
        "get()[0][0]=0.9",
        "get().append([0.2])",
        "x = [get()]\nx[0][0][0] = 0.9",
        "y = get() or 1\ny[0][0] = 0.9",
        "get().reverse()",
    ] {
        refused(&format!("{get}{line}\n{end}"));
    }
    is_never_wrong(&format!("{get}k2=get()\nprint(k2)\n{end}"), &[0.1]);
    let same = "keys=[[0.1]]\ndef same(k):\n    return k\nx = same(keys)\nx[0][0] = 0.9\n";
    refused(&format!("{same}{end}"));
}

#[test]
fn parameters_are_what_a_call_gives_them() {
    let named = "def turn(mo, names, angles, times, isAbsolute):\n    \
                 mo.angleInterpolation(names, angles, times, isAbsolute)\n";
    is_never_wrong(
        &format!("{named}turn(m, ['A'], [0.15], 1.0, True)\n"),
        &[0.15],
    );
    is_never_wrong(
        &format!("{named}turn(m, ['A'], times=1.0, isAbsolute=True, angles=[0.15])\n"),
        &[0.15],
    );
    refused(&format!("{named}turn(m, ['A'], [0.15], 1.0, False)\n"));
    refused(&format!("{named}turn(m, ['A'], [0.15], rate, True)\n"));
    refused(&format!("{named}turn(*all)\n"));
    let two = "def go(t=2.0, a=0.3):\n    m.angleInterpolation(['A'], [[a]], [[t]], True)\n";
    is_never_wrong(&format!("{two}go()\n"), &[0.3]);
    is_never_wrong(&format!("{two}go(a=0.4)\n"), &[0.4]);
    is_never_wrong(&format!("{two}go(1.0, 0.5)\n"), &[0.5]);
    refused(
        "A = 0.1\ndef go(a=A):\n    m.angleInterpolation(['A'], [[a]], [[1.0]], True)\nA = 0.2\ngo()\n",
    );
    refused(&format!("{two}go()\ngo(1.0, 0.5)\n"));
    // Without a call, the place is that of the parameter that is not known.
    let why = refused(two);
    assert!(why.starts_with("line 2, column 42: `t`"), "{why}");
    let own = "def play(names, keys, times):\n    \
               times = [[t*2 for t in l] for l in times]\n    keys, times = times, keys\n    \
               m.angleInterpolation(names, keys, times, True)\nplay(['A'], [[0.5]], [[1.5]])\n";
    is_never_wrong(own, &[3.0]);
}

#[test]
fn comprehensions_and_small_functions_are_data() {
    let rad = std::f64::consts::PI / 180.0;
    for (list, values) in [
        (
            "[x * motion.TO_RAD for x in [10, 20]]",
            [10.0 * rad, 20.0 * rad],
        ),
        ("[math.radians(x) for x in xs]", [10.0 * rad, 20.0 * rad]),
        ("list(map(math.radians, xs))", [10.0 * rad, 20.0 * rad]),
        ("map(rad, xs)", [10.0 * rad, 20.0 * rad]),
        ("[rad(x) for x in xs]", [10.0 * rad, 20.0 * rad]),
        ("[rad(10), rad(d=20)]", [10.0 * rad, 20.0 * rad]),
        ("[x * 0.5 for x in range(2)]", [0.0, 0.5]),
        ("[x for x in range(1, 9, 3) if x > 2]", [4.0, 7.0]),
        ("[x * 10 for x in [[1, 2], [3, 4]][1]]", [30.0, 40.0]),
    ] {
        let head = "import math\nxs = [10, 20]\ndef rad(d):\n    return d*math.pi/180\n";
        is_never_wrong(
            &format!("{head}m.angleInterpolation('A', {list}, [1.0, 2.0], True)\n"),
            &values,
        );
        let nested = format!("keys = [[10, 20]]\nkeys = [{list} for row in keys]\n");
        is_never_wrong(
            &format!("{head}{nested}m.angleInterpolation(['A'], keys, [[1.0, 2.0]], True)\n"),
            &values,
        );
    }
    for (list, column) in [
        ("[x * rate for x in [1, 2]]", 27),
        ("[[1.0, 2.0][i] for i in it()]", 27),
        ("[x + y for x, y in [[1, 2], [3, 4]]]", 27),
        ("[x for x in [1, 2] if odd(x)]", 27),
        ("[x for y in [1] for x in [1, 2]]", 27),
    ] {
        let why = refused(&format!(
            "m.angleInterpolation('A', {list}, [1.0, 2.0], True)\n"
        ));
        assert!(
            why.starts_with(&format!("line 1, column {column}: `[")),
            "{why}"
        );
    }
    // The name of a comprehension is that of the file in Python 2, and rows stay the same lists.
    refused(
        "x = 0.5\ny = [x for x in [1, 2]]\nm.angleInterpolation(['A'], [[x]], [[1.0]], True)\n",
    );
    refused(
        "k = [[0.5]]\ny = [r for r in k]\ny[0][0] = 1\nm.angleInterpolation(['A'], k, [[1.0]], True)\n",
    );
    refused(
        "k = [[0.5]]\ny = [r.append(1) for r in k]\nm.angleInterpolation(['A'], k, [[1.0]], True)\n",
    );
    let large = "keys = [[x for x in range(1000000)] for y in range(1000000)]\n\
                 m.angleInterpolation(['A'], keys, [[1]], True)\n";
    assert!(played(large).is_err());
}

#[test]
fn what_is_never_reached_is_not_read() {
    let play = "    m.angleInterpolation(names, keys, times, True)\n";
    let lists = "    names=['A']; keys=[[0.3]]; times=[[1.0]]\n";
    plays(
        &format!("def go():\n{lists}{play}    return\n    keys=[[0.4]]\n{play}go()\n"),
        &[0.3],
    );
    plays(
        "a=0.1\ntry:\n    a=0.4\n    raise ValueError()\n    a=0.5\nexcept ValueError as e:\n    pass\n\
           m.angleInterpolation(['A'], [[a]], [[1]], True)\n",
        &[0.4],
    );
    plays(
        &format!("def go():\n{lists}{play}    raise X; keys=[[0.4]]\n{play}go()\n"),
        &[0.3],
    );
    plays(
        &format!("m = 'x'\nif m <> 'a':\n    print 'b'\ndef go():\n{lists}{play}go()\n"),
        &[0.3],
    );
}

/// A followed function that cannot be read to its end leaves the names of its caller as they were, or unknown.
#[test]
fn a_mistake_in_a_followed_function_spoils_no_other() {
    let play = "m.angleInterpolation(['A'], keys, [[1.0]], True)\n";
    for body in [
        "x = (1",
        "if y:\n        k = [1 2]",
        "x = 010",
        "for q in [1]:\n        ] = 4",
        "k[0][0] = 0.9; x = (",
    ] {
        let text =
            format!("def f(k):\n    k.append([0.3])\n    {body}\nkeys=[[0.1]]\nf(keys)\n{play}");
        let lists = played(&text);
        assert!(lists.is_err(), "{lists:?} of\n{text}");
        let text = format!("def f(k=[1 2]):\n    k.append([0.3])\nkeys=[[0.1]]\nf(keys)\n{play}");
        assert!(played(&text).is_err(), "{text}");
        let other =
            format!("def f(k):\n    k.append(1)\n    {body}\n)\nkeys=[[0.1]]\nz=[]\nf(z)\n{play}");
        let lists = played(&other);
        assert!(
            lists.is_err() || lists == Ok(vec![vec![0.1]]),
            "{lists:?} of\n{other}"
        );
    }
}

#[test]
fn functions_may_call_each_other_without_end() {
    let text = "def a(x):\n    keys.append(x)\n    b(x)\n    b(x)\ndef b(x):\n    a(x)\n    a(x)\n";
    refused(&format!(
        "{text}keys=[]\na([0.1])\nm.angleInterpolation(['A'], keys, [[1]], True)\n"
    ));
    let mut text = "def f0(x):\n    keys.append(x)\n".to_owned();
    for number in 1..40 {
        let inner = format!("    f{}(x)\n", number - 1);
        text += &format!("def f{number}(x):\n{}", inner.repeat(30));
    }
    let text =
        format!("{text}keys=[]\nf39([0.1])\nm.angleInterpolation(['A'], keys, [[1]], True)\n");
    assert!(played(&text).is_err());
}

/// Times that grow with the square of the size would be minutes here.
#[test]
fn long_scripts_take_no_longer_than_their_size() {
    let call = "m.angleInterpolation(['A'], [[0.1]], [[1.0]], True)\n";
    let functions = |count: usize| -> String {
        let one = |value| {
            format!(
                "def f{value}(self):\n  self.x{value}=1\n  f{}(self)\nf{value}(q)\n",
                value + 1
            )
        };
        (0..count).map(one).collect()
    };
    for text in [
        "foo.bar(1,2)\n".repeat(5_000) + call,
        "foo.bar(1,2);".repeat(5_000) + "\n" + call,
        format!("if x:\n  {}\n{call}", "foo.bar(1,2);".repeat(5_000)),
        format!("x = {}1\n{call}", "1+".repeat(25_000)),
        format!("x = {}z\n{call}", "y*z+".repeat(5_000)),
        (0..5_000)
            .map(|i| format!("self.a{i} = {i}\n"))
            .collect::<String>()
            + call,
        format!(
            "k=[1]\n{}{call}",
            (0..5_000)
                .map(|i| format!("a{i} = k\n"))
                .collect::<String>()
        ),
        functions(1_000) + call,
    ] {
        let reading = read("a.py", text.as_bytes()).expect("a motion");
        assert!(reading.remarks.len() <= 2_000, "{}", reading.remarks.len());
    }
    let many = read("a.py", ("foo.bar(1,2)\n".repeat(3) + call).as_bytes()).expect("a motion");
    let remarks: Vec<_> = many.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        ["line 1, column 1: `foo.bar(1,2)` is passed over: nothing is executed (3 times)"]
    );
}

#[test]
fn a_function_that_gives_its_lists_back_is_one_motion() {
    for order in [["names", "times", "keys"], ["names", "keys", "times"]] {
        let lists = "    names=['A']; keys=[[0.1]]; times=[[1.0]]\n";
        let text = format!(
            "def wave():\n{lists}    return {}\nn,a,b = wave()\nm.angleInterpolation(n, {}, True)\n",
            order.join(", "),
            if order[1] == "keys" { "a, b" } else { "b, a" }
        );
        plays(&text, &[0.1]);
    }
}
