import { receiver } from "./worker.js";

const receive = receiver((message) => self.postMessage(message));
self.addEventListener("message", (event) => receive(event.data));
