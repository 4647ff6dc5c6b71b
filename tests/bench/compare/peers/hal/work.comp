component work "A function that reads 26 sensors and sends 26 commands.";
pin in float in-##[26];
pin out float out-##[26];
function _;
license "Apache-2.0";
author "The developers of dcm-run";
;;
FUNCTION(_) {
    for (int joint = 0; joint < 26; joint++)
        out(joint) = in(joint);
}
