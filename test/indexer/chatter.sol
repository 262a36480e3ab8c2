// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Logs whatever it is told to, so that a test can make any of the protocol's contracts speak.
contract Chatter {
    struct Saying {
        bytes32[] topics;
        bytes data;
    }

    function say(Saying[] calldata sayings) external {
        for (uint256 i = 0; i < sayings.length; i++) {
            bytes memory data = sayings[i].data;
            bytes32[] memory t = sayings[i].topics;
            assembly {
                let start := add(data, 32)
                let size := mload(data)
                switch mload(t)
                case 1 { log1(start, size, mload(add(t, 32))) }
                case 2 { log2(start, size, mload(add(t, 32)), mload(add(t, 64))) }
                case 3 { log3(start, size, mload(add(t, 32)), mload(add(t, 64)), mload(add(t, 96))) }
                case 4 { log4(start, size, mload(add(t, 32)), mload(add(t, 64)), mload(add(t, 96)), mload(add(t, 128))) }
            }
        }
    }
}
