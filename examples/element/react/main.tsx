import { useState } from "react";
import { createRoot } from "react-dom/client";
import "verified-swap/element";
import { settings } from "../settings.js";

const given = await settings();

function Swap() {
  const [trade, setTrade] = useState("No trade yet.");
  return (
    <>
      <verified-swap {...given} amount="100" ontrade={({ detail }) => setTrade(`${detail.purpose}: ${detail.state}`)} />
      <p>{trade}</p>
    </>
  );
}

createRoot(document.getElementById("root")!).render(<Swap />);
