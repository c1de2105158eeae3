import { createClient } from "verified-swap";
import { swap } from "../../../../swap.js";

export const POST = async ({ request }) => Response.json(await swap(createClient, await request.json()));
