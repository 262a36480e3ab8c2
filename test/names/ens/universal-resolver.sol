// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Registry {
    function resolver(bytes32 node) external view returns (address);
}

interface Resolver {
    function name(bytes32 node) external view returns (string memory);
    function addr(bytes32 node) external view returns (address);
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
    function multicall(bytes[] calldata calls) external view returns (bytes[] memory);
    function supportsInterface(bytes4 id) external view returns (bool);
}

struct Question {
    address sender;
    string[] urls;
    bytes data;
}

interface BatchGateway {
    function query(Question[] calldata questions) external view returns (bool[] memory, bytes[] memory);
}

/// Behaves as the documentation of the ENS Universal Resolver says, for Ethereum addresses.
contract UniversalResolver {
    error DNSEncodingFailed(string ens);
    error InvalidBatchGatewayResponse();
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverError(bytes errorData);
    error ResolverNotContract(bytes name, address resolver);
    error ResolverNotFound(bytes name);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error UnsupportedResolverProfile(bytes4 selector);

    enum State { Unasked, Waiting, Answered, Empty, Reverted, GatewayFailed }

    /// One call to a resolver. While the state is Waiting, `data` is its OffchainLookup.
    struct Part {
        bytes4 selector;
        bytes input;
        bytes data;
        State state;
    }

    /// State that is passed to the callback as extra data.
    struct Session {
        address resolver;
        bool isExtended;
        bool isMulticall;
        Part[] parts;
        string[] gateways;
        bytes account;
        string primary;
        address reverseResolver;
    }

    struct Lookup {
        address sender;
        string[] urls;
        bytes callData;
        bytes4 callbackFunction;
        bytes extraData;
    }

    /// In storage slot 0, where tests write it.
    Registry registry;

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        Session memory session = open(name, data);
        session.gateways = gateways;
        ask(session);
        return finishResolve(session);
    }

    function resolveAfterGateways(bytes calldata response, bytes calldata extra)
        external
        view
        returns (bytes memory, address)
    {
        return finishResolve(take(response, extra));
    }

    function reverseWithGateways(bytes calldata account, uint256, string[] calldata gateways)
        external
        view
        returns (string memory, address, address)
    {
        bytes memory name = abi.encodePacked(uint8(40), hexText(account), "\x04addr\x07reverse\x00");
        Session memory session = open(name, abi.encodeCall(Resolver.name, (nodeOf(name, 0))));
        session.gateways = gateways;
        session.account = account;
        ask(session);
        return finishReverse(session);
    }

    function reverseAfterGateways(bytes calldata response, bytes calldata extra)
        external
        view
        returns (string memory, address, address)
    {
        return finishReverse(take(response, extra));
    }

    function finishResolve(Session memory session) internal view returns (bytes memory, address) {
        sendToGateways(session, this.resolveAfterGateways.selector);
        return (resultOf(session), session.resolver);
    }

    function finishReverse(Session memory session) internal view returns (string memory, address, address) {
        sendToGateways(session, this.reverseAfterGateways.selector);
        bytes memory result = resultOf(session);
        if (bytes(session.primary).length > 0) {
            bytes memory found = abi.encodePacked(abi.decode(result, (address)));
            if (keccak256(found) != keccak256(session.account)) revert ReverseAddressMismatch(session.primary, found);
            return (session.primary, session.resolver, session.reverseResolver);
        }
        string memory primary = abi.decode(result, (string));
        if (bytes(primary).length == 0) return ("", address(0), session.resolver);
        bytes memory name = encodeName(primary);
        Session memory next = open(name, abi.encodeCall(Resolver.addr, (nodeOf(name, 0))));
        next.gateways = session.gateways;
        next.account = session.account;
        next.primary = primary;
        next.reverseResolver = session.resolver;
        ask(next);
        return finishReverse(next);
    }

    /// Finds the resolver of the name, or a wildcard resolver of one of its parents.
    function open(bytes memory name, bytes memory data) internal view returns (Session memory session) {
        uint256 offset;
        while (session.resolver == address(0) && name[offset] != 0) {
            session.resolver = registry.resolver(nodeOf(name, offset));
            if (session.resolver == address(0)) offset += 1 + uint8(name[offset]);
        }
        if (session.resolver == address(0)) revert ResolverNotFound(name);
        session.isExtended = hasInterface(session.resolver, Resolver.resolve.selector);
        if (!session.isExtended && offset > 0) revert ResolverNotFound(name);
        if (session.resolver.code.length == 0) revert ResolverNotContract(name, session.resolver);
        session.isMulticall = bytes4(data) == Resolver.multicall.selector;
        bytes[] memory calls = new bytes[](1);
        calls[0] = data;
        if (session.isMulticall) calls = abi.decode(withoutSelector(data), (bytes[]));
        session.parts = new Part[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            Part memory part = session.parts[i];
            part.selector = bytes4(calls[i]);
            part.input = session.isExtended ? abi.encodeCall(Resolver.resolve, (name, calls[i])) : calls[i];
        }
    }

    function ask(Session memory session) internal view {
        for (uint256 i; i < session.parts.length; i++) {
            Part memory part = session.parts[i];
            (bool ok, bytes memory data) = session.resolver.staticcall(part.input);
            settle(part, ok, data);
        }
    }

    function settle(Part memory part, bool ok, bytes memory data) internal pure {
        part.data = data;
        if (ok) part.state = data.length == 0 ? State.Empty : State.Answered;
        else part.state = bytes4(data) == OffchainLookup.selector ? State.Waiting : State.Reverted;
    }

    /// Reverts with one OffchainLookup to the batch gateway for all waiting parts.
    function sendToGateways(Session memory session, bytes4 callback) internal view {
        uint256 count;
        for (uint256 i; i < session.parts.length; i++) if (session.parts[i].state == State.Waiting) count++;
        if (count == 0) return;
        Question[] memory questions = new Question[](count);
        for (uint256 i = session.parts.length; i > 0; i--) {
            Part memory part = session.parts[i - 1];
            if (part.state != State.Waiting) continue;
            Lookup memory lookup = lookupOf(part.data);
            questions[--count] = Question(lookup.sender, lookup.urls, lookup.callData);
        }
        bytes memory batch = abi.encodeCall(BatchGateway.query, (questions));
        revert OffchainLookup(address(this), session.gateways, batch, callback, abi.encode(session));
    }

    function take(bytes calldata response, bytes calldata extra) internal view returns (Session memory session) {
        session = abi.decode(extra, (Session));
        (bool[] memory failures, bytes[] memory answers) = abi.decode(response, (bool[], bytes[]));
        if (failures.length != answers.length) revert InvalidBatchGatewayResponse();
        uint256 taken;
        for (uint256 i; i < session.parts.length; i++) {
            Part memory part = session.parts[i];
            if (part.state != State.Waiting) continue;
            if (taken == answers.length) revert InvalidBatchGatewayResponse();
            if (failures[taken]) {
                part.data = answers[taken];
                part.state = State.GatewayFailed;
            } else {
                Lookup memory lookup = lookupOf(part.data);
                (bool ok, bytes memory data) = lookup.sender.staticcall(
                    abi.encodeWithSelector(lookup.callbackFunction, answers[taken], lookup.extraData)
                );
                settle(part, ok, data);
            }
            taken++;
        }
        if (taken != answers.length) revert InvalidBatchGatewayResponse();
    }

    /// The result of a single call, or a revert with its error. A multicall returns errors in place of results.
    function resultOf(Session memory session) internal pure returns (bytes memory) {
        bytes[] memory results = new bytes[](session.parts.length);
        for (uint256 i; i < results.length; i++) {
            Part memory part = session.parts[i];
            results[i] = part.data;
            if (part.state == State.Empty) {
                results[i] = abi.encodeWithSelector(UnsupportedResolverProfile.selector, part.selector);
            } else if (part.state == State.Answered && session.isExtended) {
                results[i] = abi.decode(part.data, (bytes));
            }
        }
        if (session.isMulticall) return abi.encode(results);
        State state = session.parts[0].state;
        if (state == State.Answered) return results[0];
        if (state == State.Reverted && bytes4(results[0]) != UnsupportedResolverProfile.selector) {
            revert ResolverError(results[0]);
        }
        bytes memory data = results[0];
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    function hasInterface(address resolver, bytes4 id) internal view returns (bool) {
        (bool ok, bytes memory data) =
            resolver.staticcall{gas: 30000}(abi.encodeCall(Resolver.supportsInterface, (id)));
        return ok && data.length == 32 && abi.decode(data, (uint256)) == 1;
    }

    function lookupOf(bytes memory data) internal pure returns (Lookup memory lookup) {
        (lookup.sender, lookup.urls, lookup.callData, lookup.callbackFunction, lookup.extraData) =
            abi.decode(withoutSelector(data), (address, string[], bytes, bytes4, bytes));
    }

    function withoutSelector(bytes memory data) internal pure returns (bytes memory rest) {
        rest = new bytes(data.length - 4);
        assembly {
            mcopy(add(rest, 32), add(data, 36), mload(rest))
        }
    }

    /// The namehash of a DNS-encoded name from `offset` on.
    function nodeOf(bytes memory name, uint256 offset) internal pure returns (bytes32) {
        uint256 length = uint8(name[offset]);
        if (length == 0) return 0;
        bytes memory label = new bytes(length);
        for (uint256 i; i < length; i++) label[i] = name[offset + 1 + i];
        return keccak256(abi.encode(nodeOf(name, offset + 1 + length), keccak256(label)));
    }

    function encodeName(string memory text) internal pure returns (bytes memory name) {
        bytes memory input = bytes(text);
        name = abi.encodePacked(uint8(0), input, uint8(0));
        uint256 start;
        for (uint256 i; i <= input.length; i++) {
            if (i < input.length && input[i] != ".") continue;
            uint256 length = i - start;
            if (length == 0 || length > 255) revert DNSEncodingFailed(text);
            name[start] = bytes1(uint8(length));
            start = i + 1;
        }
    }

    function hexText(bytes calldata data) internal pure returns (bytes memory text) {
        text = new bytes(data.length * 2);
        for (uint256 i; i < text.length; i++) {
            uint8 digit = i % 2 == 0 ? uint8(data[i / 2]) >> 4 : uint8(data[i / 2]) & 15;
            text[i] = bytes16("0123456789abcdef")[digit];
        }
    }
}
