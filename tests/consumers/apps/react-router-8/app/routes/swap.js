import { createClient } from "verified-swap";
import { swap } from "../../swap.js";

export async function action({ request }) {
  return Response.json(await swap(createClient, await request.json()));
}
