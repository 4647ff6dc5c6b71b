"""NAOqi's modules besides DCM and ALMemory, as thin layers on what the robot has. One file for each module.

Used by `ALProxy`, `naoqi` and `qi`. The law: a service sends what a client could send itself; what a robot here
cannot do is an error that says so, and what to use instead.
"""
