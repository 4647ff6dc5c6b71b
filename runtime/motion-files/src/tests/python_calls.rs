//! Scripts of which no motion can be read, and what they are told.

#[test]
fn calls_without_times_and_arguments_that_cannot_be_read_have_their_places() {
    let head = "from naoqi import ALProxy\nmotion = ALProxy(\"ALMotion\")\n";
    for name in ["setAngles", "changeAngles", "angleInterpolationWithSpeed"] {
        let text = format!(
            "{head}motion.{name}(\"HeadYaw\", 0.5, 0.1)\nmotion.setAngles(\"HeadPitch\", 1, 1)\n"
        );
        let failure = crate::read("a.py", text.as_bytes())
            .expect_err("no times")
            .to_string();
        let what = match name {
            "angleInterpolationWithSpeed" => "a share of the fastest speed instead of times",
            _ => "no times",
        };
        let sentence = format!(
            "line 3, column 1: `{name}` has {what}, which a motion needs; fix: write it as a call of \
             `angleInterpolation`, with the times at which the joints are there"
        );
        assert_eq!(failure, sentence);
    }
    let failure = |line: &str| {
        let text = format!("{head}{line}\n");
        crate::read("a.py", text.as_bytes())
            .expect_err(line)
            .to_string()
    };
    assert_eq!(
        failure("motion.angleInterpolation(\"HeadYaw\", [0.5], [010], True)"),
        "line 3, column 46: `010` is octal in Python 2; fix: write it without the 0 before it"
    );
    assert_eq!(
        failure("motion.angleInterpolation(\"HeadYaw\", angles, [1.0], True)"),
        "line 3, column 38: `angles` would have to be executed; fix: write its value"
    );
    assert!(failure("print(1)").contains("there is no list `names`"));
}
