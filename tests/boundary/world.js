// A page's surroundings for the boundary's tests: a service behind globalThis.fetch that answers honestly, and a wallet.
// Evaluates to a function of (hash, sign, owner): the digest of typed data as JSON text, the signature over a digest,
// and the account that signs.
(hash, sign, owner) => {
  const delta = "0x0000000000bbf5c5fd284e657f01bd000933c96d";
  const world = {
    requests: [],
    asked: [],
    owner,
    // Replaced by tests: what the service answers to a path, what the wallet answers to a method.
    answers: {},
    wallets: {},
  };
  const text = (body, status = 200) => new Response(body, { status, headers: { "content-type": "application/json" } });
  const orders = new Map();

  const quote = (query) => {
    const token = (name) => `{"chainId":8453,"address":"${query.get(name).toLowerCase()}"}`;
    const leg = (name, amount) => `{"token":${token(name)},"amount":"${amount}","amountUSD":"100.00"}`;
    const amount = BigInt(query.get("amount"));
    const [input, output] = [leg("srcToken", amount), leg("destToken", amount * 400_000_000n)];
    // Text that a page would change by reading it and writing it again.
    world.route = `{"origin":{"input":${input},"output":${output}},"destination":{"input":${output},"output":${output}},"bridge":null, "venue":"Caf\\u00e9","10":"ten","2":1.0,"serial":12345678901234567890}`;
    return `{"delta":{"id":"q","side":"SELL","inputToken":${token("srcToken")},"outputToken":${token("destToken")},"route":${world.route},"partner":{"name":"anon","feePercent":0.01},"spender":"${delta}"}}`;
  };

  const build = (body) => {
    const { origin } = body.route;
    const least = (BigInt(origin.output.amount) * BigInt(10_000 - body.slippage)) / 10_000n;
    const zero = `0x${"0".repeat(40)}`;
    world.value = `{"owner":"${body.owner}","beneficiary":"${body.beneficiary}","srcToken":"${origin.input.token.address}","destToken":"${origin.output.token.address}","srcAmount":"${origin.input.amount}","destAmount":"${least}","expectedAmount":"${origin.output.amount}","deadline":${body.deadline},"kind":0,"nonce":"${body.nonce}","partnerAndFee":"1","permit":"0x","metadata":"0x","bridge":{"protocolSelector":"0x00000000","destinationChainId":"0","outputToken":"${zero}","scalingFactor":0,"protocolData":"0x"},"hint":"Caf\\u00e9","10":1.0}`;
    const uints = (names) => names.map((name) => ({ name, type: "uint256" }));
    const addresses = (names) => names.map((name) => ({ name, type: "address" }));
    const types = {
      Order: [
        ...addresses(["owner", "beneficiary", "srcToken", "destToken"]),
        ...uints(["srcAmount", "destAmount", "expectedAmount", "deadline"]),
        { name: "kind", type: "uint8" },
        ...uints(["nonce", "partnerAndFee"]),
        { name: "permit", type: "bytes" },
        { name: "metadata", type: "bytes" },
        { name: "bridge", type: "Bridge" },
      ],
      Bridge: [
        { name: "protocolSelector", type: "bytes4" },
        ...uints(["destinationChainId"]),
        ...addresses(["outputToken"]),
        { name: "scalingFactor", type: "int8" },
        { name: "protocolData", type: "bytes" },
      ],
    };
    const domain = { name: "Portikus", version: "2.0.0", chainId: 8453, verifyingContract: delta };
    const toSign = `{"domain":${JSON.stringify(domain)},"types":${JSON.stringify(types)},"value":${world.value}}`;
    world.hash = hash(toSign);
    return `{"toSign":${toSign},"orderHash":"${world.hash}"}`;
  };

  const post = (body) => {
    const { order: signed, chainId } = body;
    const order = {
      id: "order-1", status: "PENDING", orderHash: world.hash, owner: signed.owner, order: signed, input: { chainId }, transactions: [],
    };
    for (const key of [order.id, order.orderHash]) orders.set(key, order);
    return JSON.stringify(order);
  };

  const honest = (method, url, body) => {
    if (method === "GET" && url.pathname === "/v2/quote") return text(quote(url.searchParams));
    if (method === "POST" && url.pathname === "/v2/delta/orders/build") return text(build(JSON.parse(body)));
    if (method === "POST" && url.pathname === "/v2/delta/orders") return text(post(JSON.parse(body)));
    const order = orders.get(url.pathname.split("/").at(-1));
    return order ? text(JSON.stringify(order)) : text('{"errorType":"NotFound"}', 404);
  };

  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.text();
    const key = request.headers.get("x-api-key");
    world.requests.push({ path: `${request.method} ${url.pathname}`, url: url.href, body, key });
    const scripted = world.answers[url.pathname];
    return scripted ? scripted(request, () => honest(request.method, url, body)) : honest(request.method, url, body);
  };

  const bare = (value) => value.toString(16).padStart(64, "0");
  const word = (value) => `0x${bare(value)}`;
  // The feeds of both tokens, by plain calls: the wallet runs nothing that is not there.
  const dollars = { "0xfeed000000000000000000000000000000000001": 1n, "0xfeed000000000000000000000000000000000002": 2_500n };
  const round = (price) => `0x${[1n, price, 0n, BigInt(Math.floor(Date.now() / 1000)), 1n].map(bare).join("")}`;
  const reads = {
    "0x313ce567": (to) => word(to.toLowerCase() in dollars ? 8 : to.startsWith("0x11") ? 6 : 18),
    "0xfeaf968c": (to) => round(dollars[to.toLowerCase()] * 100_000_000n),
    "0x70a08231": () => word(1n << 200n),
    "0xdd62ed3e": () => word(1n << 200n),
  };

  world.wallet = new (class {
    // Out of reach for a call of `request` without its object.
    #methods = {
      eth_accounts: () => [owner],
      eth_chainId: () => "0x2105",
      eth_getCode: () => "0x",
      eth_getBlockByNumber: () => ({ timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` }),
      eth_call: ([{ to, data }]) => reads[data.slice(0, 10)](to),
      eth_signTypedData_v4: ([, typedData]) => sign(hash(typedData)),
    };

    request({ method, params }) {
      world.asked.push(method);
      const own = this.#methods[method];
      const scripted = world.wallets[method];
      return scripted ? scripted(params, () => own(params)) : Promise.resolve(own(params));
    }
  })();
  return world;
};
