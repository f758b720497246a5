"""A headless Chromium, driven through its DevTools protocol."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from websockets.sync.client import connect


class Browser:
    """One page of a Chromium of its own. Use it in a `with` statement."""

    def __init__(self, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="espbench-chromium-")
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars=false",
             f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank"],
            stdout=self.log, stderr=self.log)
        self.last = 0
        self.events = []
        port = self._port()
        browser = connect(f"ws://127.0.0.1:{port[0]}{port[1]}", max_size=None, ping_interval=None)
        self.socket = browser
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Performance"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def _port(self):
        file = pathlib.Path(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            lines = file.read_text().splitlines() if file.exists() else []
            if len(lines) == 2:
                return lines
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"Chromium did not start: {pathlib.Path(self.folder, 'log').read_text()[-2000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        """A command of the protocol; its result."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=120))
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def faults(self):
        """What the page's scripts threw, and what the browser complains of (as a breach of its content policy)."""
        self.run("0")
        texts = []
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                texts.append(details.get("exception", {}).get("description", details["text"]))
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                texts.append(event["params"]["entry"]["text"])
        return texts

    def busy(self):
        """How long the page's thread has been at work, in seconds."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(entry["value"] for entry in metrics if entry["name"] == "TaskDuration")

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script):
        """The value of an expression, which may be a promise, as JSON."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, script, seconds=20):
        """Waits until an expression is true, and returns its value."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                value = self.run(script)
            except RuntimeError as error:
                value, script_error = None, error
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"not within {seconds} s: {script}")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def hover(self, selector):
        """Moves the mouse to the middle of an element; returns where that is."""
        place = self.run(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
        return place

    def click(self, selector, modifiers=0, count=1):
        """Clicks in the middle of an element, with the mouse."""
        place = self.hover(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=count,
                      modifiers=modifiers)

    def key(self, key, modifiers=0):
        """Presses a key by its name, such as `Enter`, `ArrowDown` or `n`."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34,
                 "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Backspace": 8, " ": 32}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers & 2 else "")
        code = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def type(self, text):
        for character in text:
            self.call("Input.insertText", text=character)

    def wheel(self, selector, by):
        place = self.run(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=place[0], y=place[1], deltaX=0, deltaY=by)

    def size(self, width, height, scheme="light"):
        """The page's size, and `light` or `dark`."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
