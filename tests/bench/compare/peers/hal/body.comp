component body "Begins a turn with 26 sensors, ends it, and keeps how long the turns took, ns.";
pin out float sensor-##[26];
pin out float took-###[128];
pin out u32 turns;
variable rtapi_s64 begun;
function read;
function write;
license "Apache-2.0";
author "The developers of dcm-run";
;;
FUNCTION(read) {
    begun = rtapi_get_time();
    for (int joint = 0; joint < 26; joint++)
        sensor(joint) = turns + joint / 10.0;
}

FUNCTION(write) {
    took(turns % 128) = rtapi_get_time() - begun;
    turns++;
}
