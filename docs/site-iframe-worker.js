// The search of the site is a worker, which browsers start only of pages from a server. Of a page from a folder (file:) it runs in a hidden frame.
// The name of this file has "iframe-worker" in it, because the plugin `offline` of MkDocs Material would load such a thing from another host.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data})); // what the worker answers
      const script = frame.contentDocument.createElement("script");
      this.loaded = new Promise((done, failed) => Object.assign(script, {onload: done, onerror: failed, src: address}));
      frame.contentDocument.body.append(script);
    }

    async postMessage(data) {
      await this.loaded;
      this.inside.dispatchEvent(new MessageEvent("message", {data}));
    }
  };
}
