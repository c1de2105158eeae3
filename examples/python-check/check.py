"""Sells a token by a gasless order: the service prices and builds it, verified-swap checks it, a signer signs it.

Standard library only. The check is one process of `verified-swap verify --ndjson`: a line in, a line out, no network.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request

PARTNER = "python-check"
DOMAIN_TYPE = [
    {"name": "name", "type": "string"},
    {"name": "version", "type": "string"},
    {"name": "chainId", "type": "uint256"},
    {"name": "verifyingContract", "type": "address"},
]


class Refused(Exception):
    """The payload is not to be signed: it is not what was asked for, or nobody has answered a question about it."""


class Checker:
    """The checks of verified-swap/verify, for as many payloads as there are."""

    def __init__(self, command=("npx", "--no-install", "verified-swap", "verify", "--ndjson")):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")

    def check(self, verifier, **given):
        """The report. Raises Refused for every answer but "ok", and if there is none."""
        self.process.stdin.write(json.dumps({"verifier": verifier, **given}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Refused("the check ended without an answer")
        answer = json.loads(line)
        if answer.get("verdict") == "ok":
            return answer
        if "error" in answer:
            raise Refused(f"{answer['error']['code']}: {answer['error']['message']}")
        raise Refused("open: " + "; ".join(question["text"] for question in answer["questions"]))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def member(text, *path):
    """The text of a member of a JSON text, as it is there: the service takes its own price back byte for byte."""
    decode = json.JSONDecoder().raw_decode
    for name in path:
        at, found = 0, None
        while found != name:
            found, at = decode(text, re.compile(r"[\s{,]*").match(text, at).end())
            start = re.compile(r"[\s:]*").match(text, at).end()
            _, at = decode(text, start)
        text = text[start:at]
    return text


def asked(url, body=None):
    """GET, or POST with a body, JSON text; the answer's JSON text."""
    request = urllib.request.Request(url, body and body.encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode()}")


def root(types):
    """The type that no other one contains."""
    inner = {field["type"] for fields in types.values() for field in fields}
    return next(name for name in types if name not in inner and name != "EIP712Domain")


def compact(signature):
    """ERC-2098, as the service takes signatures: the parity in the first bit of `s`."""
    r, s, v = signature[2:66], int(signature[66:130], 16), int(signature[130:], 16)
    return f"0x{r}{s | (v % 27) << 255:064x}"


def main():
    base_url, signer, account = (os.environ[name] for name in ("BASE_URL", "SIGNER_URL", "ACCOUNT"))
    # The pair, the amount and the slippage: all of it yours, nothing of it the service's.
    request = {**json.loads(os.environ["REQUEST"]), "account": account, "deadline": int(time.time()) + 600}
    given = {"request": request, **json.loads(os.environ.get("GIVEN", "{}"))}

    names = ("chainId", "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "side")
    query = {"mode": "DELTA", "partner": PARTNER, **{name: request[name] for name in names}}
    price = member(asked(f"{base_url}/v2/quote?{urllib.parse.urlencode(query)}"), "delta")
    order = json.dumps({
        "owner": account, "beneficiary": account, "side": request["side"], "slippage": request["slippageBps"],
        "deadline": request["deadline"], "partner": PARTNER,
    })
    built = json.loads(asked(f"{base_url}/v2/delta/orders/build", f'{order[:-1]}, "route": {member(price, "route")}}}'))
    to_sign = built["toSign"]
    typed_data = {
        "domain": to_sign["domain"],
        "types": {"EIP712Domain": DOMAIN_TYPE, **to_sign["types"]},
        "primaryType": root(to_sign["types"]),
        "message": to_sign["value"],
    }

    checker = Checker()
    try:
        # What is checked is what is signed: the same object.
        report = checker.check("verifyOrder", quote=price, toSign=typed_data, orderHash=built["orderHash"], **given)
    finally:
        checker.close()
    print(report["sentence"])

    params = [account, json.dumps(typed_data)]
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_signTypedData_v4", "params": params}
    signed = json.loads(asked(signer, json.dumps(call)))
    if "result" not in signed:
        sys.exit(f"not signed: {signed['error']['message']}")
    order = {
        "order": to_sign["value"], "signature": compact(signed["result"]), "type": "MARKET",
        "chainId": request["chainId"], "partner": PARTNER,
    }
    print(f"Posted: {json.loads(asked(f'{base_url}/v2/delta/orders', json.dumps(order)))['orderHash']}")


if __name__ == "__main__":
    try:
        main()
    except Refused as refusal:
        sys.exit(f"Not signed. {refusal}")
