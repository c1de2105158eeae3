import { createClient } from "verified-swap";
import { swap } from "../../../swap.js";

export const load = ({ url }) => swap(createClient, JSON.parse(url.searchParams.get("settings")));
