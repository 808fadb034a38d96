#!/usr/bin/env python3
"""Looks at the site of the documents (build/site, tools/build_site.sh) in Chromium without a window: every page, as wide as a phone and as a screen.

    tools/look_at_site.py [--pictures FOLDER] [PAGE...]

A page is at fault where it is wider than the screen, asks for a file that is not there or for anything of another host, or reports an error. Then the
search of the site is asked for messages, a key and a page, which must come among the first results: from a server, and from the folder without one.
PAGE is a part of addresses, such as docs/theory; without any, all pages are looked at. --pictures writes FOLDER/PAGE-WIDTH.png of each.

Exit status: 1 where something is at fault; 0 with a note where there is no chromium (a package of Debian) or no site.
"""
import argparse
import contextlib
import functools
import http.server
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

SITE = pathlib.Path(__file__).resolve().parent.parent / "build/site"
WIDTHS = {390: 844, 1280: 900}  # a phone, a screen: pixels of CSS
# What is typed into the search, and a page that must be among its first three results.
SEARCHES = {"no CUDA driver": "docs/errors/devices", "time.cfl": "docs/reference/keys", "unknown key": "docs/errors/keys", "restart": "docs/how-to/restart"}
WIDEST = """(() => {
  for (const change of document.getAnimations()) try { change.finish() } catch { change.cancel() } // of the width before
  const width = WIDTH, scrolls = e => { for (; e; e = e.parentElement) if (e != document.documentElement && e != document.body &&
    ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX)) return true };
  const right = e => e.getBoundingClientRect().right;
  const wide = [...document.body.querySelectorAll('*')].filter(e => right(e) > width + 1 && !scrolls(e.parentElement)).sort((a, b) => right(b) - right(a));
  return {page: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight,
    wide: wide.slice(0, 1).map(e => e.outerHTML.slice(0, 80)).join()};
})()"""
# The index is loaded after the page.
RESULTS = """new Promise(done => { let asked = 0; const look = () => {
  const found = [...document.querySelectorAll('.md-search-result__item > a')].map(link => link.href);
  found.length || ++asked > 300 ? done(found) : setTimeout(look, 100) }; look() })"""


class Browser:
    """Chromium, told what to do through a pair of pipes (the DevTools protocol, a message ended by a zero byte)."""

    def __init__(self, program, profile):
        here, there = os.pipe(), os.pipe()
        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        shell = f'exec "$0" "$@" 3<&{here[0]} 4>&{there[1]}'
        self.process = subprocess.Popen(["bash", "-c", shell, *words], pass_fds=(here[0], there[1]), stderr=subprocess.DEVNULL)
        os.close(here[0]), os.close(there[1])
        self.to, self.back = os.fdopen(here[1], "wb"), os.fdopen(there[0], "rb")
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def read(self):
        while b"\0" not in self.rest:
            piece = self.back.read1(1 << 20)
            if not piece:
                sys.exit("error: chromium ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values, **({"sessionId": self.session} if self.session else {})}
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (answer := self.read()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"error: {method}: {answer['error']['message']}")
        return answer["result"]

    def show(self, address):
        """Loads a page; what the browser reported of it comes back."""
        self.events = []
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.read())
        return self.events

    def ask(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def end(self):
        self.call("Browser.close")
        self.process.wait(timeout=60)


def faults_of(events, origin):
    for event in events:
        values = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent" and not values["request"]["url"].startswith((origin, "data:", "blob:")):
            yield f"asks for {values['request']['url']}"
        elif event.get("method") == "Network.responseReceived" and values["response"]["status"] >= 400:
            yield f"asks for {values['response']['url']}, which answers {values['response']['status']}"
        elif event.get("method") == "Runtime.exceptionThrown":
            yield f"reports: {values['exceptionDetails']['text']}"


def look(browser, origin, pages, pictures):
    """Faults of pages, at both widths."""
    for page in pages:
        events = browser.show(f"{origin}/{page}")
        for width, height in WIDTHS.items():
            browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
            size = browser.ask(WIDEST.replace("WIDTH", str(width)))
            if size["page"] > width:
                yield f"{page} is {size['page']} pixels wide where the screen has {width}: {size['wide']}"
            if pictures:
                clip = {"x": 0, "y": 0, "width": width, "height": min(size["height"], 6000), "scale": 1}
                data = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
                (pictures / f"{page.removesuffix('.html').replace('/', '-')}-{width}.png").write_bytes(base64.b64decode(data))
        yield from (f"{page} {fault}" for fault in sorted(set(faults_of(events + browser.events, origin))))


def search(browser, origin):
    """Faults of the search."""
    browser.call("Emulation.clearDeviceMetricsOverride")
    for words, wanted in SEARCHES.items():
        browser.show(f"{origin}/index.html?q={words.replace(' ', '+')}")
        first = [address.split("?")[0].split("#")[0].removeprefix(f"{origin}/") for address in browser.ask(RESULTS)[:3]]
        yield from (f"search for '{words}' in {origin} {fault}" for fault in faults_of(browser.events, origin))
        if wanted + ".html" not in first:
            yield f"search for '{words}' in {origin}: {wanted} is not among the first: {', '.join(first) or 'nothing found'}"


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    words = parser.parse_args()
    program = shutil.which("chromium")
    if not program or not (SITE / "index.html").exists():
        print("site not looked at: " + ("there is no build/site" if program else "there is no chromium"))
        return 0
    if words.pictures:
        words.pictures.mkdir(parents=True, exist_ok=True)
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path.name != "404.html")
    pages = [page for page in pages if not words.pages or any(part in page for part in words.pages)]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        print("with", browser.call("Browser.getVersion")["product"])
        faults = [*look(browser, origin, pages, words.pictures), *(fault for place in (origin, SITE.as_uri()) if not words.pages for fault in search(browser, place))]
        with contextlib.suppress(subprocess.TimeoutExpired):
            browser.end()
    for fault in faults:
        print("error:", fault)
    print(f"{len(pages)} pages, each at {' and '.join(map(str, WIDTHS))} pixels: {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
