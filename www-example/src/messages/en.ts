/* Every text of the page, by area. Another language is another file of this shape. */

export const messages = {
  brand: "Verified swap",

  // start: the first screen, the header, wallets, what cannot start

  // form: amounts, tokens, settings
  form: {
    noFee: "None",
    notANumber: "An amount is digits with one decimal point.",
    tooManyDecimals: (symbol: string, decimals: number) => `${symbol} has ${decimals} decimals, not more.`,
    tooMuch: "That is more than any token has.",
    readAs: (amount: string) => `Read as ${amount}`,
    close: "Close",
  },

  // review: what is signed, its checks, steps, refusals
  review: {
    you: "You",
    back: "Back to the form",
    titles: {
      sign: "What you are signing",
      send: "What you are sending",
      consent: "What you consent to",
      permit: "What you permit",
      allow: "What you allow",
      reset: "What you take back",
      deposit: "What you deposit",
    },
    /** The buttons that open the wallet. */
    buttons: {
      sign: "Sign",
      send: "Send",
      consent: "Send your consent",
      permit: "Sign the permit",
      allow: (sum: string) => `Approve ${sum}`,
      reset: (symbol: string) => `Take back the old ${symbol} approval`,
      deposit: (sum: string) => `Deposit ${sum}`,
      together: { send: "Approve and send", consent: "Approve and consent" },
    },
    steps: {
      label: "Prompts of your wallet",
      of: (step: number, count: number) => `Step ${step} of ${count}`,
      reset: "Take back",
      allow: "Allow",
      permit: "Permit",
      deposit: "Deposit",
      sign: "Sign",
      send: "Send",
      consent: "Consent",
      sendBoth: "Allow and send",
      consentBoth: "Allow and consent",
      done: "done",
    },
    panel: {
      token: "Token",
      amount: "Amount",
      exactly: (sum: string) => `Exactly ${sum}`,
      nothing: (symbol: string) => `0 ${symbol}`,
      all: (symbol: string) => `All your ${symbol}: this kind of permit has no amount`,
      spender: "May be taken by",
      resetSpender: "No longer by",
      depositTo: "Into",
      until: "Until",
      used: "This trade has used it, or you take it back",
      from: "From",
      today: "Allowed today",
      forOpenOrders: "Includes what your open orders need.",
      provedSpender: "The spender is the one in the checked order.",
      allowIntro: "An approval lets one contract take this amount, and nothing else.",
      resetIntro: "This token refuses to change an approval, so the old one is taken back first.",
      permitIntro:
        "A permit is an approval by signature: no gas. The order that carries it is built afterwards, and reviewed before you sign it.",
      depositIntro:
        "The contract cannot take the native token by a signature. What is not sold stays yours, and can be withdrawn.",
      permitProof:
        "Proved before this prompt: the token’s own domain, the contract this page pinned, your account, the amount of your trade. After it: that the signature is yours, and that the contract takes it.",
      depositProof: "Sent by the package after your signature, for exactly what the signed order sells.",
    },
    asked: "You asked",
    signing: { sign: "You are signing", send: "You are sending", consent: "You consent to" },
    served: "The service put",
    anyone: "Anyone may fill it",
    never: "No end",
    groups: {
      who: "Who",
      what: "What",
      amount: "How much",
      until: "Until",
      cost: "Cost",
      contract: "Contract",
      other: "Other",
    },
    /** What a group's tick says to a screen reader. */
    verdicts: { ok: "as asked", unusual: "unusual", mismatch: "differs" },
    checkVerdicts: {
      ok: "Matches",
      mismatch: "Differs",
      opaque: "Cannot be judged",
      unknown: "Unknown",
      unusual: "Unusual",
    },
    check: { asked: "asked", received: "received" },
    checksOf: (count: number) => (count === 1 ? "1 check" : `${count} checks`),
    distance: (share: string, buys: boolean) =>
      buys ? `At most ${share} above the quote, slippage and fee included.` : `At most ${share} below the quote, slippage and fee included.`,
    witnesses: (words: string) => `This price is ${words}.`,
    passed: (count: number) => (count === 1 ? "1 check passed" : `${count} checks passed`),
    ignore: (names: string[]) =>
      names.length === 1
        ? `1 field is yours to ignore: ${names.join()}`
        : `${names.length} fields are yours to ignore: ${names.join(", ")}`,
    bridge: (names: string[]) => `Not checked, and up to the bridge: ${names.join(", ")}. What enters it is checked.`,
    unknown: (names: string[]) => `Not known: ${names.join(", ")}`,
    slices: (count: string) => `${count} slices`,
    each: (sum: string) => `${sum} each`,
    on: (symbol: string, chain: string) => `${symbol} on ${chain}`,
    failed: (count: number, all: number) => `${count} of ${all} checks failed`,
    builtHere: "Built on this device from what you asked, not by the service.",
    technical: {
      title: "Technical",
      copy: "Copy the report",
      copied: "Copied",
      download: "Download it",
      fields: "Every field, as it is signed",
      hardware: "On a hardware wallet",
      domainHash: "Domain hash",
      messageHash: "Message hash",
      signed: "Signed",
      file: "report.json",
    },
    refusal: {
      worse: "What it would have done",
      checkFailed: (field: string) => `Check that failed: ${field}. Nothing was signed and nothing was sent.`,
      neverOpened: "Your wallet was never opened",
      prompts: (count: number) =>
        count === 0
          ? "0 prompts. Nothing was signed, nothing was sent."
          : `${count} before this, for what you agreed to. Nothing more was asked.`,
      notAgain: "Your wallet was not opened again",
      alsoFailed: "Also refused",
      rest: "Everything else that was checked",
      tell: "Tell the service: this report has every check, without a signature.",
      newPrice: "Get a new price",
    },
    consequences: {
      stranger: "a stranger: not you, not your wallet",
      nobody: "nobody: what is sent there is lost",
      somebody: (name: string) => name,
      goesTo: (who: string) => `Your tokens would go to ${who}.`,
      mayTake: (who: string, symbol: string) => `Your ${symbol} could be taken by ${who}.`,
      isCalled: (who: string) => `Your transaction would go to ${who}.`,
      less: (size: string) => `${size} less than you asked for.`,
      more: (size: string) => `${size} more than you asked to pay.`,
      worthLess: (size: string) => `You would give away ${size} of its worth.`,
      longer: (span: string) => `It could be filled ${span} longer, at a price of long ago.`,
      shorter: (span: string) => `It would end ${span} earlier.`,
      fee: (size: string) => `${size} would go to somebody as a fee.`,
      aBit: "Less than 0.01 %",
      years: (count: number) => `${count} years`,
    },
    names: {
      receiver: "receiver",
      spender: "contract to approve",
      called: "contract to call",
      deadline: "deadline",
      remaining: "amount left",
      price: "price",
      toReceive: "amount to receive",
      least: "minimum to receive",
      paid: "amount to pay",
      expected: "expected amount",
      fee: "fee",
      owner: "owner",
      srcToken: "token to pay",
      destToken: "token to receive",
      chain: "chain",
      distance: "distance to the quote",
      nonce: "number, used once",
      types: "types",
      hash: "hash that is signed",
    },
    kinds: { 0: "sale", 1: "purchase" } as Record<string, string>,
    contracts: { delta: "Delta", router: "Router", rfq: "OTC contract", permit2: "Permit2" },
  },

  // attack: the demo
  attack: {
    title: "Attack this swap",
    running: (title: string) => `Under attack: ${title}`,
    intro: "Choose a lie. The service tells it for real, and this page asks for your swap again.",
    unknown: (name: string) => `There is no attack called “${name}”. Choose one of these.`,
    close: "Close the attacks",
    count: (number: number, of: number) => `Attack ${number} of ${of}`,
    paths: { gasless: "Gasless", market: "Market" },
    list: {
      receiver: {
        title: "Send your tokens to a stranger",
        change: "The service puts another receiver into your order.",
      },
      minimum: {
        title: "Give you 90 % less",
        change: "The service writes a tenth of your minimum into your order.",
      },
      spender: {
        title: "Let a stranger’s contract spend your tokens",
        change: "With the price, the service names another contract to approve.",
      },
      deadline: {
        title: "Keep your order open for ten years",
        change: "The service moves the deadline. Until then, somebody could fill your order at today’s price.",
      },
      price: {
        title: "A price that the market never had",
        change: "The service quotes too little, with dollar values to match. Only the chain’s pools and feeds tell.",
      },
      token: {
        title: "Pay you in a worthless token",
        change: "The service puts a token of its own into your order.",
      },
      marketReceiver: {
        title: "A transaction that pays somebody else",
        change: "The service hides another receiver in the transaction’s data.",
      },
      marketTo: {
        title: "A transaction to another contract",
        change: "The service has your wallet call a contract of its own.",
      },
    },
    steps: { asking: "You ask", lying: "The service lies", stopped: "Stopped" },
    outcome: {
      asking: "Asking the honest service first…",
      lying: "The service lies now. Asking for your swap again…",
      stopped: "Stopped before your wallet opened",
      missed: "Not stopped. Please report this.",
      failed: "This attack could not be made. Try another one.",
    },
    honest: "Honest service",
    lying: "Lying service",
    members: {
      verifyingContract: "Order is for",
      beneficiary: "Receiver",
      srcToken: "You pay",
      destToken: "You get",
      destAmount: "Least you get",
      toAmount: "Least you get",
      expectedAmount: "Expected",
      quotedAmount: "Expected",
      deadline: "Open until",
      spender: "May spend your tokens",
      to: "Contract to call",
    } as Record<string, string>,
    you: "You",
    sender: "You, the sender",
    swapContract: "The service’s contract",
    stranger: "An unknown address",
    amount: (amount: string, symbol: string) => `${amount} ${symbol}`,
    check: "Check that failed",
    counted: (failed: number, all: number) => `${failed} of ${all} checks`,
    walletClosed: "Your wallet was never opened",
    walletAsked: (times: number) => `Requests to sign or send: ${times}`,
    unchecked: "What an unchecked client would have signed",
    uncheckedSource: "The service’s real answer, as a wallet shows it. What the attack changed is marked.",
    prompts: {
      order: (name: string) => `Sign this ${name}?`,
      approval: () => "Approve this spender?",
      transaction: (name: string) => `Send this transaction? ${name}`,
    },
    neverShown: "Never shown",
    changed: "Changed",
    next: "Next attack",
    end: "End attack",
  },

  // built: the page "How this page is built"
  built: {
    title: "How this page is built",
    back: "Back to the swap",
    intro:
      "All that calls the package is in one folder, src/client. Read it from top to bottom; the rest is what you see.",
    guide: "Guide:",
    lines: (count: number) => `Read the code, ${count} lines`,
    restTitle: "The rest",
    rooms: {
      "src/state": "The one state object, and what is computed from it.",
      "src/view": "What you see: components that read the state. None of them calls the client.",
      "src/sandbox": "The test service’s controls and its wallet. A page for a real chain has none of this.",
      "src/messages": "Every text. Another language is another file.",
      "src/style": "Style sheets.",
    },
  },

  // progress: orders on their way, the history, allowances

  // terms: limit, TWAP, crosschain, OTC

  // failures: what went wrong, and what helps
};
