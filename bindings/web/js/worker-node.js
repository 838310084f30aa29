import { parentPort } from "node:worker_threads";
import { receiver } from "./worker.js";

parentPort.on("message", receiver((message) => parentPort.postMessage(message)));
