import { createClient } from "verified-swap";
import { swap } from "./swap.js";

export default {
  async fetch(request) {
    if (request.method !== "POST") return new Response("POST the settings");
    try {
      return Response.json(await swap(createClient, await request.json()));
    } catch (error) {
      return new Response(`${error.stack} ${error.cause?.stack ?? ""}`, { status: 500 });
    }
  },
};
