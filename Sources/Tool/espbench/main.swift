import EspbenchCommands

Espbench.start()
