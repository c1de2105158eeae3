import { createClient } from "verified-swap";
import { swap } from "../../swap.js";

export default async function Page({ searchParams }) {
  const { settings } = await searchParams;
  return <output>{JSON.stringify(await swap(createClient, JSON.parse(settings)))}</output>;
}
