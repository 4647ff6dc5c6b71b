"""ALBattery: the charge of the robot's battery."""

from __future__ import annotations

from .service import Service


class ALBatteryProxy(Service):
    """The battery, as in NAOqi's ALBattery."""

    def getBatteryCharge(self) -> int:
        """The charge in percent. The current and the temperature are keys of ALMemory, `Battery/...`."""
        return round(100 * self._body.values(["Battery/Charge/Sensor/Value"])[0])

    def enablePowerMonitoring(self, enable: bool = True) -> None:
        """Has no effect: nothing here reports the charge by itself."""
