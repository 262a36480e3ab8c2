// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Answers for every name below the one that it is set for (ENSIP-10), with whatever its gateways say.
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string[] urls;
    bool isInsatiable;
    bytes question;

    function setUrls(string[] memory wanted) external {
        urls = wanted;
    }

    /// Makes it ask again, whatever it is told.
    function setInsatiable(bool wanted) external {
        isInsatiable = wanted;
    }

    /// Makes it ask this, whatever it is asked itself.
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

/// Knows accounts and nothing else: what it does not understand, it leaves unanswered.
contract OldResolver {
    mapping(bytes32 => address) public addr;

    function setAddr(bytes32 node, address account) external {
        addr[node] = account;
    }

    fallback() external {}
}

/// Knows accounts, and fails at some texts in several ways.
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

/// Fails as a whole.
contract RevertingResolver {
    fallback() external {
        revert("closed");
    }
}

/// Stands where the Universal Resolver is, and sends us to a gateway of its own, where nobody listens.
contract DirectLookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    fallback() external {
        string[] memory urls = new string[](1);
        urls[0] = "http://127.0.0.1:9/v2/SECRETKEY/{data}";
        revert OffchainLookup(address(this), urls, msg.data, msg.sig, msg.data);
    }
}

/// Would have another contract's question answered.
contract ForeignLookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    fallback() external {
        revert OffchainLookup(address(1), new string[](1), msg.data, msg.sig, msg.data);
    }
}
