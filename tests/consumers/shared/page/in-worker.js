/** The trade of a worker. */
export function inWorker(worker) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message ?? "the worker did not load"));
    worker.onmessage = ({ data: { value, error } }) => (error ? reject(new Error(error)) : resolve(value));
    worker.postMessage(window.settings);
  });
}
