// Makes errors of every kind, as code of the page: a driver's own code runs in a world of its own in some engines.
window.plantError = {
    exception: () => {
        setTimeout(() => {
            throw new Error("planted exception");
        });
    },
    rejection: () => {
        Promise.reject(new Error("planted rejection"));
    },
    message: () => console.error("planted message", 7),
    inlineScript: () => {
        const script = document.createElement("script");
        script.textContent = "window.wasRun = true";
        document.head.append(script);
    },
    inlineStyle: () => document.body.setAttribute("style", "color: red"),
    foreignImage: () => {
        new Image().src = "http://127.0.0.1:1/picture.png";
    },
    foreignRequest: () => {
        fetch("http://127.0.0.1:1/").catch(() => undefined);
    },
    missingScript: () => {
        const script = document.createElement("script");
        script.src = "/assets/planted.js";
        document.head.append(script);
    },
    refusedRequest: () => {
        fetch("/api/tables/rainbow-000000000000").then(() => undefined);
    },
};
