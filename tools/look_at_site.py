#!/usr/bin/python3
"""Looks at the site of the documents (build/site, tools/build_site.sh) in Chromium without a window: every page, as wide as a phone and as a screen.

    tools/look_at_site.py [--pictures FOLDER] [PAGE...]

A page is at fault where it is wider than the screen, asks for a file that is not there or for anything of another host, or reports an error. Then the
search of the site is asked for messages, a key and a page, which must come among the first results: from a server, and from the folder without one.
PAGE is a part of addresses, such as docs/theory; without any, all pages are looked at. --pictures writes FOLDER/PAGE-WIDTH.png of each.

Exit status: 1 where something is at fault; 0 with a note where the site, or one of Debian's packages chromium, chromium-driver and python3-selenium, is missing.
"""
import argparse
import functools
import http.server
import base64
import json
import pathlib
import shutil
import sys
import threading

try:
    from selenium import webdriver
except ImportError:
    webdriver = None

SITE = pathlib.Path(__file__).resolve().parent.parent / "build/site"
WIDTHS = {390: 844, 1280: 900}  # a phone, a screen: pixels of CSS
# What is typed into the search, and a page that must be among its first three results.
SEARCHES = {"no CUDA driver": "docs/errors/devices", "time.cfl": "docs/reference/keys", "unknown key": "docs/errors/keys", "restart": "docs/how-to/restart"}
WIDEST = """(width => {
  for (const change of document.getAnimations()) try { change.finish() } catch { change.cancel() } // of the width before
  const scrolls = e => { for (; e; e = e.parentElement) if (e != document.documentElement && e != document.body &&
    ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX)) return true };
  const right = e => e.getBoundingClientRect().right;
  const wide = [...document.body.querySelectorAll('*')].filter(e => right(e) > width + 1 && !scrolls(e.parentElement)).sort((a, b) => right(b) - right(a));
  return {page: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight,
    wide: wide.slice(0, 1).map(e => e.outerHTML.slice(0, 80)).join()};
})(arguments[0])"""
# The index is loaded after the page.
RESULTS = """const done = arguments[0]; let asked = 0; const look = () => {
  const found = [...document.querySelectorAll('.md-search-result__item > a')].map(link => link.href);
  found.length || ++asked > 300 ? done(found) : setTimeout(look, 100) }; look()"""


def browser_of(program):
    """Chromium without a window, which records what pages ask for and report."""
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "SEVERE"})
    browser = webdriver.Chrome(options=options)
    browser.set_script_timeout(60)  # the search is waited for up to 30 s
    return browser


def faults_of(browser, origin):
    """What was asked for in vain or of other hosts, and reported, since this was called last."""
    for entry in browser.get_log("performance"):
        event = json.loads(entry["message"])["message"]
        if event["method"] == "Network.requestWillBeSent" and not event["params"]["request"]["url"].startswith((origin, "data:", "blob:")):
            yield f"asks for {event['params']['request']['url']}"
        elif event["method"] == "Network.responseReceived" and event["params"]["response"]["status"] >= 400:
            yield f"asks for {event['params']['response']['url']}, which answers {event['params']['response']['status']}"
    for entry in browser.get_log("browser"):
        if entry["source"] == "javascript":
            yield f"reports: {entry['message']}"


def look(browser, origin, pages, pictures):
    """Faults of pages, at both widths."""
    for page in pages:
        browser.get(f"{origin}/{page}")
        for width, height in WIDTHS.items():
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
            size = browser.execute_script("return " + WIDEST, width)
            if size["page"] > width:
                yield f"{page} is {size['page']} pixels wide where the screen has {width}: {size['wide']}"
            if pictures:
                clip = {"x": 0, "y": 0, "width": width, "height": min(size["height"], 6000), "scale": 1}
                data = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})["data"]
                (pictures / f"{page.removesuffix('.html').replace('/', '-')}-{width}.png").write_bytes(base64.b64decode(data))
        yield from (f"{page} {fault}" for fault in sorted(set(faults_of(browser, origin))))


def search(browser, origin):
    """Faults of the search."""
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    for words, wanted in SEARCHES.items():
        browser.get(f"{origin}/index.html?q={words.replace(' ', '+')}")
        first = [address.split("?")[0].split("#")[0].removeprefix(f"{origin}/") for address in browser.execute_async_script(RESULTS)[:3]]
        yield from (f"search for '{words}' in {origin} {fault}" for fault in faults_of(browser, origin))
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
    needed = {"build/site": (SITE / "index.html").exists(), "chromium": program, "chromedriver": shutil.which("chromedriver"), "selenium": webdriver}
    lacking = [name for name, there in needed.items() if not there]
    if lacking:
        print(f"site not looked at: there is no {', no '.join(lacking)}")
        return 0
    if words.pictures:
        words.pictures.mkdir(parents=True, exist_ok=True)
    pages = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if path.name != "404.html")
    pages = [page for page in pages if not words.pages or any(part in page for part in words.pages)]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    browser = browser_of(program)
    print("with Chromium", browser.capabilities["browserVersion"])
    try:
        faults = [*look(browser, origin, pages, words.pictures), *(fault for place in (origin, SITE.as_uri()) if not words.pages for fault in search(browser, place))]
    finally:
        browser.quit()
    for fault in faults:
        print("error:", fault)
    print(f"{len(pages)} pages, each at {' and '.join(map(str, WIDTHS))} pixels: {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
