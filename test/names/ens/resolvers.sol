// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Wildcard resolver (ENSIP-10) that returns whatever its CCIP-read gateways return.
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string[] urls;
    bool isInsatiable;
    bytes question;

    function setUrls(string[] memory wanted) external {
        urls = wanted;
    }

    /// Makes the callback revert with another OffchainLookup, without end.
    function setInsatiable(bool wanted) external {
        isInsatiable = wanted;
    }

    /// Sets the call data that is sent to the gateways, instead of that of the call.
    function setQuestion(bytes calldata wanted) external {
        question = wanted;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == this.resolve.selector;
    }

    function resolve(bytes calldata, bytes calldata) external view returns (bytes memory) {
        bytes memory asked = question;
        if (asked.length == 0) asked = msg.data;
        revert OffchainLookup(address(this), urls, asked, this.takeAnswer.selector, msg.data);
    }

    function takeAnswer(bytes calldata answer, bytes calldata asked) external view returns (bytes memory) {
        if (isInsatiable) {
            revert OffchainLookup(address(this), urls, asked, this.takeAnswer.selector, asked);
        }
        return answer;
    }
}

/// Has addresses only, and returns no data for any other call.
contract OldResolver {
    mapping(bytes32 => address) public addr;

    function setAddr(bytes32 node, address account) external {
        addr[node] = account;
    }

    fallback() external {}
}

/// Has addresses, and fails for some text records, each in another way.
contract FailingResolver {
    error Forbidden(address who);

    mapping(bytes32 => address) accounts;

    function setAddr(bytes32 node, address account) external {
        accounts[node] = account;
    }

    function addr(bytes32 node) external view returns (address) {
        return accounts[node];
    }

    function text(bytes32, string calldata key) external view returns (string memory) {
        if (same(key, "avatar")) revert("no picture\nfor https://node.example/v2/SECRETKEY today");
        if (same(key, "header")) revert Forbidden(msg.sender);
        if (same(key, "url")) assert(false);
        if (same(key, "email")) revert();
        if (same(key, "status")) revert(string.concat("s", long()));
        if (same(key, "description")) return string(new bytes(16385));
        if (same(key, "location")) {
            assembly {
                mstore(0, 64)
                return(0, 32)
            }
        }
        return string.concat("the ", key);
    }

    function long() internal pure returns (string memory) {
        bytes memory letters = new bytes(5000);
        for (uint256 i; i < letters.length; i++) letters[i] = "o";
        return string(letters);
    }

    function same(string memory a, string memory b) internal pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}

/// Reverts every call.
contract RevertingResolver {
    fallback() external {
        revert("closed");
    }
}

/// Replaces the Universal Resolver: reverts with an OffchainLookup to a gateway that is not reachable.
contract DirectLookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    fallback() external {
        string[] memory urls = new string[](1);
        urls[0] = "http://127.0.0.1:9/v2/SECRETKEY/{data}";
        revert OffchainLookup(address(this), urls, msg.data, msg.sig, msg.data);
    }
}

/// Reverts with an OffchainLookup whose sender is another contract.
contract ForeignLookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    fallback() external {
        revert OffchainLookup(address(1), new string[](1), msg.data, msg.sig, msg.data);
    }
}

/// Behaves as mainnet's first resolver of DNS names: a word for addr(node, 60), and no other record.
contract FirstDnsResolver {
    error NotImplemented();

    address account;

    function setAddr(bytes32, address wanted) external {
        account = wanted;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == this.resolve.selector;
    }

    function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
        if (bytes4(data) == bytes4(keccak256("addr(bytes32)"))) return abi.encode(account);
        if (bytes4(data) != bytes4(keccak256("addr(bytes32,uint256)"))) revert NotImplemented();
        (, uint256 coinType) = abi.decode(data[4:], (bytes32, uint256));
        return coinType == 60 ? abi.encode(account) : abi.encode("");
    }
}

/// Reverts every call as the resolver of DNS names does if the name has no ENS record.
contract CouldNotResolveResolver {
    error CouldNotResolve(bytes name);

    fallback() external {
        revert CouldNotResolve("");
    }
}

/// As the resolver of DNS names for an ENS1 record that names an address without a contract.
contract NoContractResolver {
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        return NoContractResolver(address(1234)).resolve(name, data);
    }
}

/// Reverts every call as ENSv2 does if the resolver that the name leads to is not a contract.
contract UnreachableNameResolver {
    error UnreachableName(bytes name);

    fallback() external {
        revert UnreachableName("");
    }
}

/// Returns another address for addr(node, 60) than for addr(node).
contract SplitResolver {
    mapping(bytes32 => address) accounts;

    function setAddr(bytes32 node, address account) external {
        accounts[node] = account;
    }

    function addr(bytes32 node) external view returns (address) {
        return accounts[node];
    }

    function addr(bytes32, uint256) external pure returns (bytes memory) {
        return abi.encodePacked(address(0xbeef));
    }

    fallback() external {}
}

/// Has addresses and content hashes on chain, and texts at its gateways.
contract HalfOffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    mapping(bytes32 => address) public addr;

    function setAddr(bytes32 node, address account) external {
        addr[node] = account;
    }

    function contenthash(bytes32) external pure returns (bytes memory) {
        return hex"e30101701220c3c4733ec8affd06cf9e9ff50ffc6bcd2ec85a6170004bb709669c31de94391a";
    }

    function text(bytes32, string calldata) external view returns (string memory) {
        revert OffchainLookup(address(this), new string[](1), msg.data, this.text.selector, "");
    }

    fallback() external {}
}
