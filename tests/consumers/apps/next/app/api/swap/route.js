import { createClient } from "verified-swap";
import { swap } from "../../../swap.js";

export async function POST(request) {
  return Response.json(await swap(createClient, await request.json()));
}
