// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Emits arbitrary logs. Tests install it at the addresses of the protocol's contracts.
contract EventEmitter {
    struct Log {
        bytes32[] topics;
        bytes data;
    }

    function emitLogs(Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; i++) {
            bytes memory data = logs[i].data;
            bytes32[] memory t = logs[i].topics;
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
