import { createClient } from "verified-swap";
import { swap } from "../../swap.js";

export async function loader({ request }) {
  return swap(createClient, JSON.parse(new URL(request.url).searchParams.get("settings")));
}

export default function Server({ loaderData }) {
  return <output>{JSON.stringify(loaderData)}</output>;
}
