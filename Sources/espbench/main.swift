print("espbench")
