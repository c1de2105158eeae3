import { createClient } from "verified-swap/inline";
import { swap } from "../../../swap.js";

export const runtime = "edge";

export async function POST(request) {
  try {
    return Response.json(await swap(createClient, await request.json()));
  } catch (error) {
    return new Response(`${error.code} ${error.message}`, { status: 500 });
  }
}
