"""{{Name}}: looks left and right, three times. It has a thread of its own: it may compute, sleep, and send ahead."""

from choreography import Ease, actuator, deg, info, ms, sleep

HEAD_YAW = actuator("HeadYaw")


def run() -> None:
    for _ in range(3):
        HEAD_YAW.to(deg(30)).eased(Ease.SINE).over(ms(800))
        sleep(ms(900))
        HEAD_YAW.to(deg(-30)).eased(Ease.SINE).over(ms(1600))
        sleep(ms(1700))
    HEAD_YAW.to(0.0).eased(Ease.SINE).over(ms(800))
    sleep(ms(800))
    info("it has looked")
