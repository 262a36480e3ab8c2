// Generated from /openapi.json: npm run client:types

export interface paths {
    "/status": {
        /**
         * Status of the database and the indexed chains
         * @description Sizes of the graph, and how far each chain is indexed. It takes the same time for any size of the graph.
         */
        get: operations["getStatus"];
    };
    "/api/v1/events": {
        /**
         * Events, as a stream or in pages
         * @description What the logs of the protocol do, as they are stored, without polling. `Accept` decides the format: `text/event-stream` for server-sent events, also the default, `application/x-ndjson` for a line per event, `application/json` for a page of stored events. Each event has an `id`, from which a stream goes on after any interruption. After an `undo`, all events of its chain above its block are void, because a reorg has removed them; what replaces them follows.
         */
        get: operations["getEvents"];
        /**
         * Events of many accounts
         * @description The same as a GET, for a filter that no URL holds. What the logs of the protocol do, as they are stored, without polling. `Accept` decides the format: `text/event-stream` for server-sent events, also the default, `application/x-ndjson` for a line per event, `application/json` for a page of stored events. Each event has an `id`, from which a stream goes on after any interruption. After an `undo`, all events of its chain above its block are void, because a reorg has removed them; what replaces them follows.
         */
        post: operations["postEvents"];
    };
    "/api/v1/users/{addressOrENS}/account": {
        /**
         * Profile of an account
         * @description The address of the account and its ENS profile. An address without a profile has empty texts.
         */
        get: operations["getUserAccount"];
    };
    "/api/v1/lists/{token_id}/account": {
        /**
         * Profile of the account of a list
         * @description The address of the account and its ENS profile. An address without a profile has empty texts. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListAccount"];
    };
    "/api/v1/users/{addressOrENS}/details": {
        /**
         * Profile and ranks of an account
         * @description ENS profile, ranks, primary list and current counts. An account that is not on the leaderboard has rank 0. The accounts followed are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserDetails"];
    };
    "/api/v1/lists/{token_id}/details": {
        /**
         * Profile and ranks of the account of a list
         * @description ENS profile, ranks, primary list and current counts. An account that is not on the leaderboard has rank 0. The followers are those of the account of the list, which is the user of its storage slot, or its owner if the slot has no user. The accounts followed are those in the slot.
         */
        get: operations["getListDetails"];
    };
    "/api/v1/users/{addressOrENS}/simple-profile": {
        /**
         * What fits on one line about an account
         * @description Name, avatar and current counts. Without a name, `display_name` is the address. The accounts followed are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserSimpleProfile"];
    };
    "/api/v1/users/{addressOrENS}/qr": {
        /**
         * QR code of the profile page of an account
         * @description A QR code of the URL of the profile page, as a picture that scales.
         */
        get: operations["getUserQr"];
    };
    "/api/v1/users/{addressOrENS}/ens": {
        /**
         * ENS profile of an account
         * @description The ENS profile of the account, with the address inside.
         */
        get: operations["getUserEns"];
    };
    "/api/v1/users/{addressOrENS}/ens/avatar": {
        /**
         * Avatar of an account
         * @description Redirects to the avatar. Without one that has an http or https URL, 404.
         */
        get: operations["getUserEnsAvatar"];
    };
    "/api/v1/users/{addressOrENS}/primary-list": {
        /**
         * Primary list of an account
         * @description Empty unless the list exists, has a storage location, and its slot names the account as its user.
         */
        get: operations["getUserPrimaryList"];
    };
    "/api/v1/users/{addressOrENS}/lists": {
        /**
         * Lists that an account owns, uses or manages
         * @description All lists that exist and that the account owns, or whose slot names it as user or manager.
         */
        get: operations["getUserLists"];
    };
    "/api/v1/users/{addressOrENS}/stats": {
        /**
         * Current numbers of followers and of accounts followed
         * @description Current numbers, not as of the last ranking. The accounts followed are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserStats"];
    };
    "/api/v1/lists/{token_id}/stats": {
        /**
         * Current numbers of followers of the account, and of accounts that the list follows
         * @description Current numbers, not as of the last ranking. The followers are those of the account of the list, which is the user of its storage slot, or its owner if the slot has no user. The accounts followed are those in the slot.
         */
        get: operations["getListStats"];
    };
    "/api/v1/users/{addressOrENS}/badges": {
        /**
         * Badges of an account
         * @description One entry per configured event, held or not. While the badge source is down, the last known answer is returned, and 503 if nothing is known yet.
         */
        get: operations["getUserBadges"];
    };
    "/api/v1/lists/{token_id}/badges": {
        /**
         * Badges of the account of a list
         * @description One entry per configured event, held or not. While the badge source is down, the last known answer is returned, and 503 if nothing is known yet. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListBadges"];
    };
    "/api/v1/slots/{chain_id}/{contract}/{slot}/details": {
        /**
         * The list that is stored in a slot
         * @description Several lists can point at one slot: the primary list of its user if it is one of them, else the smallest token id.
         */
        get: operations["getSlotsDetails"];
    };
    "/api/v1/minters": {
        /**
         * Accounts that have a list, newest list first
         * @description Each account that a list belongs to, once, with the greatest token id of its lists, in the order of these.
         */
        get: operations["getMinters"];
    };
    "/api/v1/lists/{token_id}": {
        /**
         * What a list is: its location, roles and minting, and whether it is a primary list
         * @description A list is the primary list of the user of its slot, or `primary_list_fault` says why not. Of a list that was burned and minted again, the minting is the last one.
         */
        get: operations["getList"];
    };
    "/api/v1/users/{addressOrENS}/followers": {
        /**
         * Followers of an account
         * @description `tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true.
         */
        get: operations["getUserFollowers"];
    };
    "/api/v1/lists/{token_id}/followers": {
        /**
         * Followers of the account of a list, except those that it blocks or mutes
         * @description `tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListFollowers"];
    };
    "/api/v1/users/{addressOrENS}/allFollowers": {
        /**
         * Accounts that follow, block or mute an account
         * @description `tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true.
         */
        get: operations["getUserAllFollowers"];
    };
    "/api/v1/lists/{token_id}/allFollowers": {
        /**
         * Accounts that follow, block or mute the account of a list
         * @description `tags` of an entry are what the follower put on the account. The three flags are the relation of the account to the follower; at most one is true. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListAllFollowers"];
    };
    "/api/v1/users/{addressOrENS}/mutuals": {
        /**
         * Followers of an account that it follows
         * @description The followers whose `is_following` is true.
         */
        get: operations["getUserMutuals"];
    };
    "/api/v1/users/{addressOrENS}/relationships": {
        /**
         * Accounts with an edge to or from an account that has a tag
         * @description Follows, blocks and mutes. `incoming` are the accounts that put the tag on the account, `outgoing` those that it put the tag on; newest edge first.
         */
        get: operations["getUserRelationships"];
    };
    "/api/v1/users/{addressOrENS}/latestFollowers": {
        /**
         * Followers of an account, newest first
         * @description Accounts that the account blocks or mutes are included.
         */
        get: operations["getUserLatestFollowers"];
    };
    "/api/v1/lists/{token_id}/latestFollowers": {
        /**
         * Followers of the account of a list, newest first
         * @description Accounts that the account blocks or mutes are included. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListLatestFollowers"];
    };
    "/api/v1/users/{addressOrENS}/searchFollowers": {
        /**
         * Followers of an account that match a term
         * @description In the order of `/leaderboard/search`. Every entry has the profile of its account.
         */
        get: operations["searchUserFollowers"];
    };
    "/api/v1/lists/{token_id}/searchFollowers": {
        /**
         * Followers of the account of a list that match a term, except those that it blocks or mutes
         * @description In the order of `/leaderboard/search`. Every entry has the profile of its account. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["searchListFollowers"];
    };
    "/api/v1/users/{addressOrENS}/following": {
        /**
         * Accounts that an account follows
         * @description A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserFollowing"];
    };
    "/api/v1/lists/{token_id}/following": {
        /**
         * Accounts that a list follows
         * @description A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListFollowing"];
    };
    "/api/v1/users/{addressOrENS}/allFollowing": {
        /**
         * Accounts that an account follows, blocks or mutes
         * @description A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserAllFollowing"];
    };
    "/api/v1/lists/{token_id}/allFollowing": {
        /**
         * Accounts that a list follows, blocks or mutes
         * @description A record that is tagged `block` is a block, one that is tagged `mute` and not `block` a mute, and every other one a follow. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListAllFollowing"];
    };
    "/api/v1/users/{addressOrENS}/searchFollowing": {
        /**
         * Accounts that an account follows and that match a term
         * @description In the order of `/leaderboard/search`. Every entry has the profile of its account. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["searchUserFollowing"];
    };
    "/api/v1/lists/{token_id}/searchFollowing": {
        /**
         * Accounts that a list follows and that match a term
         * @description In the order of `/leaderboard/search`. Every entry has the profile of its account. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["searchListFollowing"];
    };
    "/api/v1/users/{addressOrENS}/allFollowingAddresses": {
        /**
         * Addresses that an account follows, blocks or mutes
         * @description An array of all addresses, latest first. Not paged. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserAllFollowingAddresses"];
    };
    "/api/v1/lists/{token_id}/allFollowingAddresses": {
        /**
         * Addresses that a list follows, blocks or mutes
         * @description An array of all addresses, latest first. Not paged. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListAllFollowingAddresses"];
    };
    "/api/v1/users/{addressOrENS}/list-records": {
        /**
         * All records of the primary list of an account
         * @description All records of the slot by address, also blocks, mutes and a record of the own account. Not paged. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserListRecords"];
    };
    "/api/v1/lists/{token_id}/records": {
        /**
         * All records of a list
         * @description All records of the slot by address, also blocks, mutes and a record of the own account. Not paged. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListRecords"];
    };
    "/api/v1/exportState/{token_id}": {
        /**
         * All records of a list, oldest first
         * @description The complete content of the slot, also blocks, mutes and a record of the own account. Each record has all of its tags. Not paged.
         */
        get: operations["exportState"];
    };
    "/api/v1/users/{addressOrENS}/{addressOrENS2}/followerState": {
        /**
         * Whether the second account follows, blocks or mutes the first
         * @description At most one of the three is true, and none if there is no edge.
         */
        get: operations["getUserFollowerState"];
    };
    "/api/v1/lists/{token_id}/{addressOrENS}/followerState": {
        /**
         * Whether an account follows, blocks or mutes the account of a list
         * @description At most one of the three is true, and none if there is no edge. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListFollowerState"];
    };
    "/api/v1/users/{addressOrENS}/{addressOrENS2}/buttonState": {
        /**
         * Whether the first account follows, blocks or mutes the second
         * @description At most one of the three is true, and none if there is no record. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserButtonState"];
    };
    "/api/v1/lists/{token_id}/{addressOrENS}/buttonState": {
        /**
         * Whether a list follows, blocks or mutes an account
         * @description At most one of the three is true, and none if there is no record. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListButtonState"];
    };
    "/api/v1/users/{addressOrENS}/{addressOrENS2}/relationship": {
        /**
         * How two accounts relate
         * @description The edges between the two, in both directions. Of each three fields at most one is true.
         */
        get: operations["getUserRelationship"];
    };
    "/api/v1/users/{addressOrENS}/path/{addressOrENS2}": {
        /**
         * A shortest chain of follows from one account to another
         * @description At most six follows. Among equals it is the path whose first step has most followers, then the second and so on, then by address. `isComplete` is false if the search ended early, because it would have read too many rows.
         */
        get: operations["getUserPath"];
    };
    "/api/v1/users/{addressOrENS}/hops": {
        /**
         * How many follows lead from an account to each of many accounts
         * @description The number of follows of a shortest path, 3 at most: null beyond. There is an entry for each of the given accounts, in the same order.
         */
        get: operations["getUserHops"];
        /**
         * How many follows lead from an account to each of many accounts
         * @description A POST that changes nothing, because a query string cannot hold so many addresses. The number of follows of a shortest path, 3 at most: null beyond. There is an entry for each of the given accounts, in the same order. Answers are not cached.
         */
        post: operations["postUserHops"];
    };
    "/api/v1/users/{addressOrENS}/tags": {
        /**
         * Tags that an account puts on others
         * @description The tags of all records, by count and tag, and the tagged accounts. Not paged. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserTags"];
    };
    "/api/v1/lists/{token_id}/tags": {
        /**
         * Tags that a list puts on its records
         * @description The tags of all records, by count and tag, and the tagged accounts. Not paged. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListTags"];
    };
    "/api/v1/users/{addressOrENS}/taggedAs": {
        /**
         * Tags that others put on an account
         * @description The tags that others put on the account when they follow, block or mute it, by count and tag. `taggedAddresses` has the accounts that put them. Not paged.
         */
        get: operations["getUserTaggedAs"];
    };
    "/api/v1/lists/{token_id}/taggedAs": {
        /**
         * Tags that others put on the account of a list
         * @description The tags that others put on the account when they follow, block or mute it, by count and tag. `taggedAddresses` has the accounts that put them. Not paged. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListTaggedAs"];
    };
    "/api/v1/leaderboard/search": {
        /**
         * The leaderboard, or the accounts on it that match a term
         * @description Ranks and counts are as of the last ranking. Without a term, members are ordered by followers, then by address. With one, accounts whose name or address equals it come first; then names that start with it, names that contain it, addresses that start with it, with or without `0x`, and addresses that contain it.
         */
        get: operations["searchLeaderboard"];
    };
    "/api/v1/leaderboard/ranked": {
        /**
         * The leaderboard by one of its counts
         * @description Members whose count is 0 come last in either direction. Ties are ordered by address.
         */
        get: operations["getLeaderboardRanked"];
    };
    "/api/v1/leaderboard/count": {
        /**
         * The size of the leaderboard
         * @description As of the last ranking.
         */
        get: operations["getLeaderboardCount"];
    };
    "/api/v1/leaderboard/all": {
        /**
         * All members of the leaderboard
         * @description Addresses and names, by followers as of the last ranking, then by address. All of them without `limit` and `cursor`.
         */
        get: operations["getLeaderboardAll"];
    };
    "/api/v1/leaderboard/followers": {
        /**
         * Accounts with the most followers
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardFollowers"];
    };
    "/api/v1/leaderboard/following": {
        /**
         * Accounts that follow the most
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardFollowing"];
    };
    "/api/v1/leaderboard/mutuals": {
        /**
         * Accounts with the most mutuals
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardMutuals"];
    };
    "/api/v1/leaderboard/blocked": {
        /**
         * Accounts that are blocked most
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardBlocked"];
    };
    "/api/v1/leaderboard/blocks": {
        /**
         * Accounts that block the most
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardBlocks"];
    };
    "/api/v1/leaderboard/muted": {
        /**
         * Accounts that are muted most
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardMuted"];
    };
    "/api/v1/leaderboard/mutes": {
        /**
         * Accounts that mute the most
         * @description Accounts whose count is above 0, greatest first, then by address, as of the last ranking. Equal counts have equal ranks.
         */
        get: operations["getLeaderboardMutes"];
    };
    "/api/v1/stats": {
        /**
         * Numbers of the whole graph
         * @description Current numbers, not as of the last ranking.
         */
        get: operations["getStats"];
    };
    "/api/v1/users/{addressOrENS}/notifications": {
        /**
         * Follows, unfollows, tags and untags that an account received, newest first
         * @description The list operations that name the account and come from the valid primary list of another account. A `tag` with `opcode=2` matches nothing.
         */
        get: operations["getUserNotifications"];
    };
    "/api/v1/users/{addressOrENS}/activity": {
        /**
         * Follows, unfollows, tags and untags that an account made, newest first
         * @description The list operations, with the accounts that they name. A `tag` with `opcode=2` matches nothing. The records are those of the valid primary list of the account; without one there are none.
         */
        get: operations["getUserActivity"];
    };
    "/api/v1/lists/{token_id}/activity": {
        /**
         * Follows, unfollows, tags and untags in a list, newest first
         * @description The list operations, with the accounts that they name. A `tag` with `opcode=2` matches nothing. The records are those in the storage slot of the list, even if it is not a primary list.
         */
        get: operations["getListActivity"];
    };
    "/api/v1/users/{addressOrENS}/history": {
        /**
         * The followers of an account over time
         * @description How many of the current followers had begun to follow by the end of each interval, and the follows and unfollows in it. An account began to follow with its first follow after its last unfollow. Intervals are those of UTC, weeks begin on Monday, and there are 1000 at most.
         */
        get: operations["getUserHistory"];
    };
    "/api/v1/users/{addressOrENS}/commonFollowers": {
        /**
         * Accounts that an account follows and that follow the leader
         * @description Ordered by `mutuals_rank`, then by address; accounts that are not on the leaderboard come last. `length` counts all pages.
         */
        get: operations["getUserCommonFollowers"];
    };
    "/api/v1/users/{addressOrENS}/recommended": {
        /**
         * Accounts that are followed by those whom an account follows
         * @description Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers.
         */
        get: operations["getUserRecommended"];
    };
    "/api/v1/lists/{token_id}/recommended": {
        /**
         * Accounts that are followed by those whom the account of a list follows
         * @description Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListRecommended"];
    };
    "/api/v1/users/{addressOrENS}/recommended/details": {
        /**
         * Recommended accounts with profiles, counts and ranks
         * @description Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers.
         */
        get: operations["getUserRecommendedDetails"];
    };
    "/api/v1/lists/{token_id}/recommended/details": {
        /**
         * Recommended accounts with profiles, counts and ranks, for the account of a list
         * @description Accounts followed by those that the account follows, by how many of those follow them. Accounts in its primary list are left out. Without a candidate, the leaderboard by followers. The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.
         */
        get: operations["getListRecommendedDetails"];
    };
    "/api/v1/discover": {
        /**
         * Accounts that were followed most recently
         * @description Each account of the last 1,000 follows in the graph, once, newest follow first. Counts are current.
         */
        get: operations["discover"];
    };
    "/api/v1/accounts": {
        /**
         * Name, avatar, counts and primary list of many accounts, and how a viewer relates to each
         * @description A POST that changes nothing, because a query string cannot hold so many addresses. The answer has an entry for each entry of the body, in the same order; null for what is no account. Counts are current. Answers are not cached.
         */
        post: operations["getAccounts"];
    };
    "/api/v1/edges/among": {
        /**
         * All edges among some accounts
         * @description A POST that changes nothing, because a query string cannot hold so many addresses. Follows, blocks and mutes whose source and target are both in the body, by source, then by target. Answers are not cached.
         */
        post: operations["getEdgesAmong"];
    };
    "/api/v1/lists/{token_id}/buttonStateBatch": {
        /**
         * Whether a list follows, blocks or mutes each of many accounts
         * @description A POST that changes nothing, because a query string cannot hold so many addresses. The answer has an entry for each entry of the body, in the same order. Answers are not cached.
         */
        post: operations["getListButtonStateBatch"];
    };
}
export interface components {
    schemas: {
        /** @description The process is alive. */
        Health: {
            /**
             * @description Always `alive`.
             * @enum {string}
             */
            status: "alive";
        };
        /** @description Why the database cannot be written, or not be read completely. */
        DatabaseFault: {
            /** @description Error code, see docs/errors.md. */
            code: string;
            /** @description What failed, and what to do. */
            message: string;
        };
        /** @description The process is ready. */
        Ready: {
            /**
             * @description Always `ready`.
             * @enum {string}
             */
            status: "ready";
            /** @description A fault of the database that this process has met, or a full disk. Requests that it does not concern are answered. */
            databaseFault: components["schemas"]["DatabaseFault"] | null;
        };
        /** @description How far a chain is indexed. */
        IndexedUpTo: {
            /** @description Id of the chain, like 8453 for Base. */
            chain_id: number;
            /** @description The last block that is indexed; null if none is. */
            block: number | null;
        };
        /** @description Why a request failed (RFC 9457). */
        Problem: {
            /** @description URI of the problem, which contains the code. */
            type: string;
            /** @description The problem in a few words. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What was wrong, for people; it may change. */
            detail: string;
            /**
             * @description The stable code of the problem.
             * @enum {string}
             */
            code: "unknown-list" | "unknown-name" | "names-not-resolved" | "no-avatar" | "invalid-parameter" | "malformed-request" | "unknown-path" | "method-not-allowed" | "body-too-large" | "unsupported-media-type" | "request-timeout" | "request-too-large" | "rate-limited" | "too-many-streams" | "position-not-indexed" | "slow-reader" | "internal" | "overloaded" | "not-indexed-yet" | "unavailable";
            /** @description Only of `not-indexed-yet`: the chains of `after`. */
            indexed?: components["schemas"]["IndexedUpTo"][];
            /** @description Only if the log of the server has the cause: the id of the request there. */
            requestId?: string;
        };
        /** @description How far the chains have been read for the first time. */
        Loading: {
            /** @description Part of the blocks of all indexed chains; null until each has been reached. */
            percent: number | null;
            /** @description Estimate of the time left; null while the rate is not stable. */
            secondsLeft: number | null;
        };
        /** @description Sizes of the graph. */
        StatusCounts: {
            /** @description Stored logs. */
            logs: number;
            /** @description Logs that are not in the graph yet; above 0 during a rebuild. */
            unfoldedLogs: number;
            /** @description List operations that are not valid. */
            ignoredOps: number;
            /** @description Lists that exist. */
            lists: number;
            /** @description Accounts in the graph. */
            accounts: number;
            /** @description Follows in the graph. */
            follows: number;
            /** @description Members of the leaderboard. */
            ranked: number;
        };
        /** @description The newest block of a chain that is in the graph. */
        IndexedBlock: {
            /** @description Block number. */
            number: number;
            /** @description Block hash. */
            hash: string;
            /** @description Time of the block in Unix seconds. */
            timestamp: number;
        };
        /** @description How far the earlier logs of an added contract have been read. */
        AddedContract: {
            /** @description Address of the contract. */
            address: string;
            /** @description Logs up to this block are in the graph. */
            number: number;
            /** @description Logs above this block are in the graph as well. */
            target: number;
        };
        /** @description How far a chain is indexed. */
        ChainStatus: {
            /** @description Id of the chain, like 8453 for Base. */
            chainId: number;
            indexed: components["schemas"]["IndexedBlock"];
            /** @description Number of the newest block. This and the next three are null while the chain is not being indexed. */
            head: number | null;
            /** @description Number of the newest final block. */
            finalized: number | null;
            /** @description Blocks behind the head. */
            lagBlocks: number | null;
            /** @description The contracts that were added to the chain and whose earlier logs are still being read. */
            reading: components["schemas"]["AddedContract"][];
            /** @description Seconds behind the head; also grows while the indexer is down. */
            lagSeconds: number | null;
        };
        /** @description Why a chain is not being indexed. */
        ChainFault: {
            /** @description Id of the chain, like 8453 for Base. */
            chainId: number;
            /** @description Error code, see docs/errors.md. */
            code: string;
            /** @description What failed. */
            message: string;
            /**
             * Format: date-time
             * @description When it failed first.
             */
            since: string;
        };
        /** @description Where profiles and badges come from, besides imports. */
        Sources: {
            /**
             * @description Source of profiles.
             * @enum {string}
             */
            names: "chain" | "none";
            /**
             * @description Source of badges.
             * @enum {string}
             */
            badges: "poap" | "none";
        };
        /** @description The state of the database and of the indexed chains. */
        Status: {
            /**
             * @description The database.
             * @enum {string}
             */
            engine: "sqlite" | "postgres";
            /** @description Whether the data is a generated demo graph. */
            isDemo: boolean;
            /** @description Whether the database is empty, or the chains are being read for the first time. */
            isLoading: boolean;
            /** @description How far the first load is; null if it is complete, or if no chain is indexed. */
            loading: components["schemas"]["Loading"] | null;
            /** @description Grows with each change of the data. */
            dataVersion: number;
            counts: components["schemas"]["StatusCounts"];
            /** @description Time of the last ranking; null before the first. */
            ranksMadeAt: string | null;
            /** @description The chains in the graph, by id. */
            chains: components["schemas"]["ChainStatus"][];
            /** @description The chains of the deployment that are not indexed: lists that are stored on them are empty. */
            chainsNotIndexed: number[];
            /** @description The chains that are not being indexed, and why. */
            faults: components["schemas"]["ChainFault"][];
            /** @description A fault of the database that this process has met, or a full disk. Requests that it does not concern are answered. */
            databaseFault: components["schemas"]["DatabaseFault"] | null;
            sources: components["schemas"]["Sources"];
        };
        /** @description The ENS profile of an account. */
        Ens: {
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description URL of the header image, or empty. */
            header: string;
            /** @description The name, in the letter case that its holder prefers, or else the shortened address. */
            display: string;
            /** @description Text records by key; `avatar`, `description`, `header` and `name` are always there. */
            records: {
                [key: string]: string;
            };
            /** @description Addresses by the name of the chain. */
            chains: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description When the profile was fetched, in Unix milliseconds; 0 if never.
             */
            fresh: number;
            /** @description Address of the resolver, or empty. */
            resolver: string;
            /** @description Why records could not be refreshed and keep their last value, or were left out because they are too long. */
            errors: {
                [key: string]: string;
            };
            /** @description `fresh` as ISO 8601; empty if never. */
            updated_at: string;
        };
        /** @description A storage slot. */
        EventSlot: {
            /** @description The chain of the contract. */
            chain_id: number;
            /** @description The list records contract, lower case. */
            contract: string;
            /** @description Number of the slot, decimal. */
            slot: string;
        };
        /** @description A list op that adds or removes a record. */
        FollowEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "follow" | "unfollow";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
            /** @description Whether the list is a valid primary list now. */
            is_primary: boolean;
            slot: components["schemas"]["EventSlot"];
            /** @description The account that the op names, lower case. */
            target: string;
            /** @description 1 to 4. */
            opcode: number;
            /** @description The bytes of the op, in hex. */
            op: string;
        };
        /** @description A list op that adds or removes a tag. */
        TagEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "block" | "unblock" | "mute" | "unmute" | "tag" | "untag";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
            /** @description Whether the list is a valid primary list now. */
            is_primary: boolean;
            slot: components["schemas"]["EventSlot"];
            /** @description The account that the op names, lower case. */
            target: string;
            /** @description 1 to 4. */
            opcode: number;
            /** @description The bytes of the op, in hex. */
            op: string;
            /** @description The tag. */
            tag: string;
        };
        /** @description A transfer of a list. `account` is the new owner, of a burn the former one. */
        ListEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "mint" | "transfer" | "burn";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
            /** @description The former owner, or the zero address. */
            from: string;
        };
        /** @description A list has a new storage location. `account` is its owner. */
        LocationEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "location";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
            /** @description Null if the location was cleared. */
            slot: components["schemas"]["EventSlot"] | null;
        };
        /** @description A slot has another user or manager: `account`, empty if cleared. */
        RoleEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "user" | "manager";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
            slot: components["schemas"]["EventSlot"];
        };
        /** @description An account names another primary list, or none. */
        PrimaryEvent: {
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /**
             * @description What the log did.
             * @enum {string}
             */
            type: "primary";
            /** @description The chain of the log. */
            chain_id: number;
            /** @description Number of the block. */
            block: number;
            /** @description Hash of the block. */
            block_hash: string;
            /** @description Index of the log in the block. */
            log_index: number;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            time: string;
            /** @description The account that did it, or empty. */
            account: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            ens?: components["schemas"]["Ens"];
            /** @description Token id of the list, or empty. */
            list: string;
        };
        /** @description All events of this chain above this block are void: a reorg has removed them. What replaces them follows. */
        UndoEvent: {
            /**
             * @description The type.
             * @enum {string}
             */
            type: "undo";
            /** @description The chain. */
            chain_id: number;
            /** @description The last block whose events are still valid. */
            block: number;
            /** @description Its hash; empty if no event of the chain is left. */
            block_hash: string;
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
        };
        /** @description How far the stream is. NDJSON only. */
        ProgressEvent: {
            /**
             * @description The type.
             * @enum {string}
             */
            type: "progress";
            /** @description The position of the stream after this, for `since` and `Last-Event-ID`. */
            id: string;
            /** @description How many events this stream has sent. */
            sent: number;
        };
        /** @description A page of events. */
        EventsPage: {
            /** @description The events, in the order of the stream. */
            events: (components["schemas"]["FollowEvent"] | components["schemas"]["TagEvent"] | components["schemas"]["ListEvent"] | components["schemas"]["LocationEvent"] | components["schemas"]["RoleEvent"] | components["schemas"]["PrimaryEvent"] | components["schemas"]["UndoEvent"])[];
            /** @description The position after the page. With it as `since`, a later request or a stream goes on. */
            id: string;
        };
        /** @description The accounts of the filter. */
        EventAccounts: {
            /** @description Addresses, in any letter case. */
            accounts: string[];
        };
        /** @description Address and profile of an account. */
        Account: {
            /** @description Account address, lower case. */
            address: string;
            ens: components["schemas"]["Ens"];
        };
        /** @description Address and profile of the account of a list. */
        ListAccount: {
            /** @description Account address, lower case. */
            address: string;
            ens: components["schemas"]["Ens"];
            /** @description Whether the list is the primary list of its account. */
            is_primary_list: boolean;
            /** @description Token id of the primary list; empty unless the account has a valid one. */
            primary_list: string;
        };
        /** @description Positions of an account on the leaderboard, as of the last ranking. */
        Ranks: {
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
            /** @description Leaderboard rank by followers, 0 outside the leaderboard, an integer as text. */
            followers_rank: string;
            /** @description Leaderboard rank by accounts followed, 0 outside the leaderboard, an integer as text. */
            following_rank: string;
            /** @description Leaderboard rank by followers who tagged it `top8`, 0 outside the leaderboard, an integer as text. */
            top8_rank: string;
            /** @description Leaderboard rank by blocks received, 0 outside the leaderboard, an integer as text. */
            blocks_rank: string;
        };
        /** @description Profile, ranks, primary list and counts of an account. */
        AccountDetails: {
            /** @description Account address, lower case. */
            address: string;
            ens: components["schemas"]["Ens"];
            ranks: components["schemas"]["Ranks"];
            /** @description Token id of the primary list; empty unless the account has a valid one. */
            primary_list: string;
            /** @description Followers. */
            followers_count: number;
            /** @description Accounts followed. */
            following_count: number;
        };
        /** @description What fits on one line about an account. */
        SimpleProfile: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or else the address. */
            display_name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description Followers. */
            followers_count: number;
            /** @description Accounts followed. */
            following_count: number;
            /** @description URL of the profile page of the account. */
            url: string;
        };
        /** @description An SVG picture. */
        Svg: string;
        /** @description The ENS profile of an account, with its address. */
        EnsWithAddress: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description URL of the header image, or empty. */
            header: string;
            /** @description The name, in the letter case that its holder prefers, or else the shortened address. */
            display: string;
            /** @description Text records by key; `avatar`, `description`, `header` and `name` are always there. */
            records: {
                [key: string]: string;
            };
            /** @description Addresses by the name of the chain. */
            chains: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description When the profile was fetched, in Unix milliseconds; 0 if never.
             */
            fresh: number;
            /** @description Address of the resolver, or empty. */
            resolver: string;
            /** @description Why records could not be refreshed and keep their last value, or were left out because they are too long. */
            errors: {
                [key: string]: string;
            };
            /** @description `fresh` as ISO 8601; empty if never. */
            updated_at: string;
        };
        /** @description The ENS profile of an account. */
        EnsProfile: {
            ens: components["schemas"]["EnsWithAddress"];
        };
        /** @description The primary list of an account. */
        PrimaryList: {
            /** @description Token id of the primary list; empty unless the account has a valid one. */
            primary_list: string;
        };
        /** @description The lists of an account. */
        Lists: {
            /** @description Token id of the primary list; empty unless the account has a valid one. */
            primary_list: string;
            /** @description All lists of the account, ascending. */
            lists: string[];
        };
        /** @description Current counts of an account. */
        Stats: {
            /** @description Followers. */
            followers_count: number;
            /** @description Accounts followed. */
            following_count: number;
        };
        /** @description The event that a badge is from. */
        BadgeEvent: {
            /** @description Number of the event. */
            id: number;
            /** @description Identifier of the event in URLs. */
            fancy_id: string;
            /** @description Name of the event. */
            name: string;
            /** @description URL of the event, or empty. */
            event_url: string;
            /** @description URL of the picture of the badge, or empty. */
            image_url: string;
            /** @description Country, or empty. */
            country: string;
            /** @description City, or empty. */
            city: string;
            /** @description What the event was. */
            description: string;
            /** @description Year of the event. */
            year: number;
            /** @description First day, DD-Mon-YYYY. */
            start_date: string;
            /** @description Last day, DD-Mon-YYYY. */
            end_date: string;
            /** @description Last day on which the badge could be claimed, DD-Mon-YYYY. */
            expiry_date: string;
        };
        /** @description A badge that an account holds. */
        Collection: {
            event: components["schemas"]["BadgeEvent"];
            /** @description Token id of the badge. */
            tokenId: string;
            /** @description Owner of the token, lower case. */
            owner: string;
        };
        /** @description Whether an account holds the badge of one event. */
        BadgeEntry: {
            /** @description Number of the event. */
            eventId: string;
            /** @description Whether the account holds the badge. */
            participated: boolean;
            /** @description The badge; null if it is not held. */
            collection: components["schemas"]["Collection"] | null;
        };
        /** @description The event badges of an account. */
        Badges: {
            /** @description One entry per event, in the order of the setting `BADGE_EVENTS`. */
            poaps: components["schemas"]["BadgeEntry"][];
        };
        /** @description A storage slot and the list that points at it. */
        SlotDetails: {
            /** @description Number of the chain. */
            chainId: number;
            /** @description Address of the contract, lower case. */
            contractAddress: string;
            /** @description Token id of the list. */
            tokenId: number;
            /** @description Owner of the list, lower case. */
            owner: string;
            /** @description Manager of the slot, or empty. */
            manager: string;
            /** @description User of the slot, or empty. */
            user: string;
            /** @description ENS name, or empty. */
            userName: string;
            /** @description URL of the avatar, or empty. */
            userAvatar: string;
            /** @description URL of the header image, or empty. */
            userHeader: string;
            /** @description Whether the list is the primary list of the user. */
            isPrimaryList: boolean;
        };
        /** @description A storage slot. */
        SlotDetailsAnswer: {
            slotDetails: components["schemas"]["SlotDetails"];
        };
        /** @description An account that has a list. */
        Minter: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description The greatest token id of its lists. */
            list: string;
        };
        /** @description A page of accounts that have a list. */
        Minters: {
            /** @description The accounts on this page, greatest token id first. */
            minters: components["schemas"]["Minter"][];
        };
        /** @description Where the records of a list are. */
        StorageLocation: {
            /** @description Id of the chain, like 8453 for Base, as text. */
            chain_id: string;
            /** @description The list records contract, lower case. */
            contract: string;
            /** @description Number of the slot. */
            slot: string;
        };
        /** @description What a list is. */
        List: {
            /** @description Token id of the list. */
            token_id: string;
            /** @description Null if the list has none. */
            storage_location: components["schemas"]["StorageLocation"] | null;
            /** @description Owner of the token, lower case. */
            owner: string;
            /** @description The account that may change the records of the slot, or empty. */
            manager: string;
            /** @description The account that the slot names as its user, or empty. */
            user: string;
            /**
             * Format: date-time
             * @description When the list was minted.
             */
            minted_at: string;
            /** @description The account that it was minted to, lower case. */
            minted_to: string;
            /** @description Whether it is the valid primary list of its user. */
            is_primary_list: boolean;
            /**
             * @description Why it is not; empty if it is.
             * @enum {string}
             */
            primary_list_fault: "" | "no-storage-location" | "slot-without-user" | "no-primary-list" | "other-primary-list";
        };
        /** @description An account with an edge to the account; with a profile for `include=ens` and in searches. */
        Follower: {
            /** @description Token id of the list of the follower. */
            svc_list_nft_token_id: string;
            /** @description Same as `svc_list_nft_token_id`, under the name that the public API uses. */
            efp_list_nft_token_id: string;
            /** @description The follower, lower case. */
            address: string;
            /** @description What the follower tagged the account with, sorted by code point. An entry of a page shows at most 100. */
            tags: string[];
            /** @description How many more tags there are; absent if none. */
            more_tags?: number;
            /** @description Whether the account follows the follower. */
            is_following: boolean;
            /** @description Whether the account blocks the follower. */
            is_blocked: boolean;
            /** @description Whether the account mutes the follower. */
            is_muted: boolean;
            /**
             * Format: date-time
             * @description When the follower last changed its record of the account.
             */
            updated_at: string;
            ens?: components["schemas"]["Ens"];
        };
        /** @description A page of followers. */
        Followers: {
            /** @description The followers on this page. */
            followers: components["schemas"]["Follower"][];
        };
        /** @description A page of followers that the account follows. */
        Mutuals: {
            /** @description The followers on this page. */
            mutuals: components["schemas"]["Follower"][];
        };
        /** @description The other account of an edge that has a tag. */
        Relationship: {
            /** @description The other account, lower case. */
            address: string;
            /** @description Tags of the edge, sorted by code point. An entry of a page shows at most 100. */
            tags: string[];
            /** @description How many more tags there are; absent if none. */
            more_tags?: number;
        };
        /** @description A page of accounts with an edge that has a tag. */
        Relationships: {
            /**
             * @description Edges to the account, or from it.
             * @enum {string}
             */
            direction: "incoming" | "outgoing";
            /** @description The tag. */
            tag: string;
            /** @description The accounts on this page, newest edge first. */
            relationships: components["schemas"]["Relationship"][];
        };
        /** @description A record of a list; with a profile for `include=ens` and in searches. */
        FollowingEntry: {
            /** @description Version of the record. */
            version: number;
            /**
             * @description Type of the record.
             * @enum {string}
             */
            record_type: "address";
            /** @description Same as `address`. */
            data: string;
            /** @description The account of the record, lower case. */
            address: string;
            /** @description Tags of the record, sorted by code point. An entry of a page shows at most 100. */
            tags: string[];
            /** @description How many more tags there are; absent if none. */
            more_tags?: number;
            /**
             * Format: date-time
             * @description When the record or its tags last changed.
             */
            updated_at: string;
            ens?: components["schemas"]["Ens"];
        };
        /** @description Records of a list. */
        Following: {
            /** @description The records. */
            following: components["schemas"]["FollowingEntry"][];
        };
        /** @description Addresses, latest first. */
        Addresses: string[];
        /** @description A record of a list, as it is stored on chain. */
        ListRecord: {
            /** @description Version of the record. */
            version: number;
            /**
             * @description Type of the record.
             * @enum {string}
             */
            record_type: "address";
            /** @description The account of the record, lower case. */
            data: string;
            /** @description Tags of the record, sorted by code point. An entry of a page shows at most 100. */
            tags?: string[];
            /** @description How many more tags there are; absent if none. */
            more_tags?: number;
        };
        /** @description All records of a list. */
        Records: {
            /** @description The records, by address. */
            records: components["schemas"]["ListRecord"][];
        };
        /** @description How one account relates to another; at most one field is true. */
        State: {
            /** @description Whether it follows the other. */
            follow: boolean;
            /** @description Whether it blocks the other. */
            block: boolean;
            /** @description Whether it mutes the other. */
            mute: boolean;
        };
        /** @description How the second account relates to the first. */
        FollowerState: {
            /** @description The first account, lower case. */
            addressUser: string;
            /** @description The second account, lower case. */
            addressFollower: string;
            state: components["schemas"]["State"];
        };
        /** @description How a list and another account relate. */
        ListState: {
            /** @description Token id of the list, or empty. */
            token_id: string;
            /** @description The other account, lower case. */
            address: string;
            state: components["schemas"]["State"];
        };
        /** @description How two accounts relate; at most one of each three fields is true. */
        PairState: {
            /** @description Whether the source follows the target. */
            is_following: boolean;
            /** @description Whether the target follows the source. */
            is_followed_by: boolean;
            /** @description Whether the source blocks the target. */
            is_blocked: boolean;
            /** @description Whether the target blocks the source. */
            is_blocked_by: boolean;
            /** @description Whether the source mutes the target. */
            is_muted: boolean;
            /** @description Whether the target mutes the source. */
            is_muted_by: boolean;
        };
        /** @description How two accounts relate. */
        PairRelationship: {
            /** @description The first account, lower case. */
            source: string;
            /** @description The second account, lower case. */
            target: string;
            state: components["schemas"]["PairState"];
        };
        /** @description An account of a path. */
        PathAccount: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
        };
        /** @description A shortest path from one account to another. */
        Path: {
            /** @description The account that the steps begin at, lower case. */
            source: string;
            /** @description The account that they lead to, lower case. */
            target: string;
            /** @description The number of follows; null if there is no path, or none was found. */
            length: number | null;
            /** @description The accounts from source to target; empty without a path. */
            path: string[];
            /** @description The same accounts, with what is shown of them. */
            accounts: components["schemas"]["PathAccount"][];
            /** @description False if the search ended without a result because of a limit on the rows read. */
            isComplete: boolean;
        };
        /** @description How far an account is. */
        Hops: {
            /** @description Account address, lower case. */
            address: string;
            /** @description The number of follows of a shortest path to it; null for more than three, or for no path. */
            steps: number | null;
        };
        /** @description How far accounts are from an account. */
        HopsList: {
            /** @description The account that the steps begin at, lower case. */
            source: string;
            /** @description An entry for each of the given accounts, in the same order; null for what is no account. */
            hops: (components["schemas"]["Hops"] | null)[];
            /** @description False if the steps to some accounts, whose `steps` are null, were not found because of a limit on the rows read. */
            isComplete: boolean;
        };
        /** @description Addresses or ENS names. */
        HopsAccounts: (string | null)[];
        /** @description How often a tag is used. */
        TagCount: {
            /** @description The tag. */
            tag: string;
            /** @description Number of uses. */
            count: number;
        };
        /** @description A tag and the account that it is on, or from. */
        TaggedAddress: {
            /** @description Account address, lower case. */
            address: string;
            /** @description The tag. */
            tag: string;
        };
        /** @description Tags of an account. */
        UserTags: {
            /** @description Account address, lower case. */
            address: string;
            /** @description The different tags, most used first. */
            tags: string[];
            /** @description The same with counts. */
            tagCounts: components["schemas"]["TagCount"][];
            /** @description All tags, by address and tag. */
            taggedAddresses: components["schemas"]["TaggedAddress"][];
        };
        /** @description Tags of a list. */
        ListTags: {
            /** @description Token id of the list, or empty. */
            token_id: string;
            /** @description The different tags, most used first. */
            tags: string[];
            /** @description The same with counts. */
            tagCounts: components["schemas"]["TagCount"][];
            /** @description All tags, by address and tag. */
            taggedAddresses: components["schemas"]["TaggedAddress"][];
        };
        /** @description A member of the leaderboard, as of the last ranking. */
        LeaderboardEntry: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
            /** @description Leaderboard rank by followers, 0 outside the leaderboard, an integer as text. */
            followers_rank: string;
            /** @description Leaderboard rank by accounts followed, 0 outside the leaderboard, an integer as text. */
            following_rank: string;
            /** @description Leaderboard rank by blocks received, 0 outside the leaderboard, an integer as text. */
            blocks_rank: string;
            /** @description Accounts that follow and are followed, an integer as text. */
            mutuals: string;
            /** @description Accounts followed, an integer as text. */
            following: string;
            /** @description Followers, an integer as text. */
            followers: string;
            /** @description Accounts that block this one, an integer as text. */
            blocks: string;
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            updated_at: string;
            /** @description URL of the header image, or empty. */
            header: string;
            /** @description Followers who tagged the account `top8`, an integer as text. */
            top8: string;
            /** @description Leaderboard rank by followers who tagged it `top8`, 0 outside the leaderboard, an integer as text. */
            top8_rank: string;
            /**
             * @description In a search with `guess`: the name is similar to the term.
             * @enum {boolean}
             */
            guess?: true;
        };
        /** @description A page of the leaderboard. */
        Leaderboard: {
            /**
             * Format: date-time
             * @description Time of the last ranking.
             */
            last_updated: string;
            /** @description The members on this page. */
            results: components["schemas"]["LeaderboardEntry"][];
        };
        /** @description A page of the leaderboard by one count. */
        RankedLeaderboard: {
            /**
             * Format: date-time
             * @description Time of the ranking.
             */
            last_updated: string;
            /** @description The members on this page. */
            results: components["schemas"]["LeaderboardEntry"][];
        };
        /** @description The size of the leaderboard. */
        LeaderboardCount: {
            /** @description Members of the leaderboard, an integer as text. */
            leaderboardCount: string;
        };
        /** @description An account with its name. */
        NamedAccount: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
        };
        /** @description Members of the leaderboard. */
        AllMembers: {
            /** @description The members, by followers, then by address. */
            results: components["schemas"]["NamedAccount"][];
        };
        /** @description An account by one of its counts, as of the last ranking. */
        FollowersRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Followers, an integer as text. */
            followers_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        FollowersRows: components["schemas"]["FollowersRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        FollowingRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts followed, an integer as text. */
            following_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        FollowingRows: components["schemas"]["FollowingRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        MutualsRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts that follow and are followed, an integer as text. */
            mutuals_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        MutualsRows: components["schemas"]["MutualsRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        BlockedRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts that block this one, an integer as text. */
            blocked_by_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        BlockedRows: components["schemas"]["BlockedRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        BlocksRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts that this one blocks, an integer as text. */
            blocks_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        BlocksRows: components["schemas"]["BlocksRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        MutedRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts that mute this one, an integer as text. */
            muted_by_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        MutedRows: components["schemas"]["MutedRow"][];
        /** @description An account by one of its counts, as of the last ranking. */
        MutesRow: {
            /** @description 1 plus the number of accounts with a greater count. */
            rank: number;
            /** @description Account address, lower case. */
            address: string;
            /** @description Accounts that this one mutes, an integer as text. */
            mutes_count: string;
        };
        /** @description Accounts whose count is above 0, greatest first. */
        MutesRows: components["schemas"]["MutesRow"][];
        /** @description Current numbers of the whole graph. */
        GraphStats: {
            /** @description Different addresses in the records of all lists, an integer as text. */
            address_count: string;
            /** @description Lists that exist, an integer as text. */
            list_count: string;
            /** @description Valid list operations, an integer as text. */
            list_op_count: string;
            /** @description Accounts that a list was ever minted to, an integer as text. */
            user_count: string;
        };
        /** @description Numbers of the whole graph. */
        Totals: {
            stats: components["schemas"]["GraphStats"];
        };
        /** @description The request, and counts of the returned page. */
        NotificationSummary: {
            /** @description Length of the interval in hours, like `168:00:00(hrs)`; 999 for `all`. */
            interval: string;
            /**
             * @description The requested opcode, or `all`.
             * @enum {string}
             */
            opcode: "all" | "1" | "2" | "3" | "4";
            /** @description Entries on this page. */
            total: number;
            /** @description Follows on this page. */
            total_follows: number;
            /** @description Unfollows on this page. */
            total_unfollows: number;
            /** @description Tags on this page. */
            total_tags: number;
            /** @description Untags on this page. */
            total_untags: number;
        };
        /** @description What another account did to the account. */
        Notification: {
            /** @description The account that acted, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description Token id of the list of the account that acted. */
            token_id: string;
            /**
             * @description What it did.
             * @enum {string}
             */
            action: "follow" | "unfollow" | "tag" | "untag";
            /** @description 1 follow, 2 unfollow, 3 tag, 4 untag. */
            opcode: number;
            /** @description The raw list operation, hexadecimal. */
            op: string;
            /** @description The tag; empty for a follow or an unfollow. */
            tag: string;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            updated_at: string;
        };
        /** @description A page of notifications. */
        Notifications: {
            summary: components["schemas"]["NotificationSummary"];
            /** @description The notifications on this page, newest first. */
            notifications: components["schemas"]["Notification"][];
        };
        /** @description What an account did to another one. */
        ListOp: {
            /** @description The account that it was done to, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description Token id of the list of the account that acted. */
            token_id: string;
            /**
             * @description What it did.
             * @enum {string}
             */
            action: "follow" | "unfollow" | "tag" | "untag";
            /** @description 1 follow, 2 unfollow, 3 tag, 4 untag. */
            opcode: number;
            /** @description The raw list operation, hexadecimal. */
            op: string;
            /** @description The tag; empty for a follow or an unfollow. */
            tag: string;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            updated_at: string;
        };
        /** @description A page of what an account did. */
        Activity: {
            summary: components["schemas"]["NotificationSummary"];
            /** @description The list operations on this page, newest first. */
            activity: components["schemas"]["ListOp"][];
        };
        /** @description An interval of the history of an account. */
        HistoryPoint: {
            /**
             * Format: date-time
             * @description The beginning of the interval.
             */
            time: string;
            /** @description Current followers that had begun to follow by the end of the interval. */
            followers: number;
            /** @description Follows that the account received in the interval. */
            gained: number;
            /** @description Unfollows that the account received in the interval. */
            lost: number;
        };
        /** @description The followers of an account over time. */
        History: {
            /**
             * @description The requested interval.
             * @enum {string}
             */
            interval: "day" | "week" | "month";
            /** @description One for each interval, oldest first; 1,000 at most. */
            points: components["schemas"]["HistoryPoint"][];
        };
        /** @description An account with its name, pictures and rank. */
        CommonFollower: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description URL of the header image, or empty. */
            header: string;
            /** @description Leaderboard rank by mutuals, 0 outside the leaderboard, an integer as text. */
            mutuals_rank: string;
        };
        /** @description A page of common followers. */
        CommonFollowers: {
            /** @description The accounts on this page. */
            results: components["schemas"]["CommonFollower"][];
            /** @description Number of common followers on all pages. */
            length: number;
        };
        /** @description An account with its name and pictures. */
        Card: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description URL of the header image, or empty. */
            header: string;
        };
        /** @description A page of accounts to follow. */
        Recommended: {
            /** @description The accounts on this page. */
            recommended: components["schemas"]["Card"][];
        };
        /** @description An account to follow, with its profile. */
        RecommendedAccount: {
            /** @description Account address, lower case. */
            address: string;
            ens: components["schemas"]["Ens"];
            stats: components["schemas"]["Stats"];
            ranks: components["schemas"]["Ranks"];
        };
        /** @description A page of accounts to follow, with profiles. */
        RecommendedDetails: {
            /** @description The accounts on this page. */
            recommended: components["schemas"]["RecommendedAccount"][];
        };
        /** @description An account that was followed recently. */
        DiscoverEntry: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description URL of the header image, or empty. */
            header: string;
            /** @description Followers, an integer as text. */
            followers: string;
            /** @description Accounts followed, an integer as text. */
            following: string;
        };
        /** @description A page of accounts that were followed recently. */
        Discover: {
            /** @description The accounts on this page, newest follow first. */
            latestFollows: components["schemas"]["DiscoverEntry"][];
        };
        /** @description Addresses or ENS names. */
        BatchAccounts: (string | null)[];
        /** @description What a list of accounts shows of one. With `viewer`, `state` is how the viewer relates to the account, and `follower_state` how the account relates to the viewer. */
        BatchAccount: {
            /** @description Account address, lower case. */
            address: string;
            /** @description ENS name, or empty. */
            name: string;
            /** @description URL of the avatar, or empty. */
            avatar: string;
            /** @description Followers. */
            followers_count: number;
            /** @description Accounts followed. */
            following_count: number;
            /** @description Token id of the primary list; empty unless the account has a valid one. */
            primary_list: string;
            state?: components["schemas"]["State"];
            follower_state?: components["schemas"]["State"];
        };
        /** @description An entry for each of the given accounts, in the same order; null for what is no account. */
        BatchAccountList: (components["schemas"]["BatchAccount"] | null)[];
        /** @description Addresses or ENS names. */
        AmongAccounts: (string | null)[];
        /** @description An edge between two of the given accounts. */
        AmongEdge: {
            /** @description The account that follows, blocks or mutes, lower case. */
            source: string;
            /** @description The account that is followed, blocked or muted, lower case. */
            target: string;
            /**
             * @description What the source does.
             * @enum {string}
             */
            relation: "follow" | "block" | "mute";
            /** @description What the source tagged the target with, sorted by code point. An entry of a page shows at most 100. */
            tags: string[];
            /** @description How many more tags there are; absent if none. */
            more_tags?: number;
        };
        /** @description All edges among the given accounts. */
        EdgesAmong: {
            /** @description The address of each of the given accounts, in the same order; null for what is no account. */
            accounts: (string | null)[];
            /** @description The edges, by source, then by target. */
            edges: components["schemas"]["AmongEdge"][];
        };
        /** @description What one of the given accounts is in the list. */
        BatchState: {
            /** @description Token id of the list, or empty. */
            token_id: string;
            /** @description The address; as given if it cannot be resolved. */
            address: string | null;
            /** @description Null if the address cannot be resolved. */
            state: components["schemas"]["State"] | null;
        };
        /** @description An entry for each of the given accounts, in the same order. */
        BatchStates: components["schemas"]["BatchState"][];
    };
    responses: {
        /** @description An unexpected error; its cause is in the log of the server. */
        InternalServerError: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server is overloaded, the database or a source of names or badges is unavailable, or a block of `after` is not indexed yet. */
        ServiceUnavailable: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A parameter or the body is invalid; `detail` names what is wrong. */
        BadRequest: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The list does not exist or was burned, the name resolves to no address, or it is not stored and the service has no source of names, or the account has no avatar. */
        NotFound: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The position is above what this server has indexed, also after 10 seconds. For `text/event-stream` it is sent as a 200 with the event `problem`, as are 429 and 503. */
        Conflict: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More requests of one address than the setting `RATE_LIMIT` allows, too many that wait for a block, or more event streams than `MAX_EVENT_STREAMS_PER_CLIENT`. */
        TooManyRequests: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 128 KiB. */
        PayloadTooLarge: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The content type is not `application/json`. */
        UnsupportedMediaType: {
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The answer still has the `ETag` that `If-None-Match` names. There is no body. */
        NotModified: {
        };
        /** @description Redirects to the avatar. */
        Found: {
        };
    };
}
export interface operations {
    getStatus: {
        responses: {
            /** @description The state of the database and of the indexed chains. */
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /**
                 * @description Events that one of these accounts did, or that name it as target. At most 100 addresses or ENS names, which are resolved when the stream opens. Comma-separated, or given several times.
                 * @example ada.eth
                 */
                account?: string;
                /** @description Whether an account of the filter did what is sent (`source`), is its `target`, or either. */
                role?: "any" | "source" | "target";
                /** @description Types of events: follow, unfollow, block, unblock, mute, unmute, tag, untag, mint, transfer, burn, location, user, manager, primary. Comma-separated, or given several times. */
                type?: string;
                /** @description Tags of events of the types `tag` and `untag`. Events of other types are left out. Comma-separated, or given several times. */
                tag?: string;
                /** @description List ops of lists that are valid primary lists when they are sent, or of `all` lists. A list may become one after its ops: then `user`, `location`, `primary`, `mint` and `burn` events pass a filter by target if a slot that they concern has a record of the target. */
                lists?: "primary" | "all";
                /** @description `finalized`: only events of final blocks, which no reorg removes. */
                finality?: "latest" | "finalized";
                /**
                 * @description The `id` of an event or of a progress: what follows it is sent. `0`: from the first event. Absent: from now. The header `Last-Event-ID` takes precedence.
                 * @example 0
                 */
                since?: string;
                /** @description `now`: the stream ends when everything up to its start has been sent. */
                until?: "now";
                /** @description Number of events on a page of `application/json`. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Of `application/json`: a page of so many of the newest events, the oldest of them first. Its `id` is that of now. More than 1000 is read as 1000. */
                last?: number;
                /** @description `ens` adds the profile of the account to each event. */
                include?: "ens";
            };
            header?: {
                /** @description The same as `since`. A browser sends it when it connects again. */
                "Last-Event-ID"?: string;
            };
        };
        responses: {
            /** @description A stream of events, or a page. */
            200: {
                content: {
                    "text/event-stream": string;
                    "application/x-ndjson": (components["schemas"]["FollowEvent"] | components["schemas"]["TagEvent"] | components["schemas"]["ListEvent"] | components["schemas"]["LocationEvent"] | components["schemas"]["RoleEvent"] | components["schemas"]["PrimaryEvent"] | components["schemas"]["UndoEvent"]) | components["schemas"]["ProgressEvent"];
                    "application/json": components["schemas"]["EventsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postEvents: {
        parameters: {
            query?: {
                /** @description Whether an account of the filter did what is sent (`source`), is its `target`, or either. */
                role?: "any" | "source" | "target";
                /** @description Types of events: follow, unfollow, block, unblock, mute, unmute, tag, untag, mint, transfer, burn, location, user, manager, primary. Comma-separated, or given several times. */
                type?: string;
                /** @description Tags of events of the types `tag` and `untag`. Events of other types are left out. Comma-separated, or given several times. */
                tag?: string;
                /** @description List ops of lists that are valid primary lists when they are sent, or of `all` lists. A list may become one after its ops: then `user`, `location`, `primary`, `mint` and `burn` events pass a filter by target if a slot that they concern has a record of the target. */
                lists?: "primary" | "all";
                /** @description `finalized`: only events of final blocks, which no reorg removes. */
                finality?: "latest" | "finalized";
                /**
                 * @description The `id` of an event or of a progress: what follows it is sent. `0`: from the first event. Absent: from now. The header `Last-Event-ID` takes precedence.
                 * @example 0
                 */
                since?: string;
                /** @description `now`: the stream ends when everything up to its start has been sent. */
                until?: "now";
                /** @description Number of events on a page of `application/json`. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Of `application/json`: a page of so many of the newest events, the oldest of them first. Its `id` is that of now. More than 1000 is read as 1000. */
                last?: number;
                /** @description `ens` adds the profile of the account to each event. */
                include?: "ens";
            };
        };
        /** @description The accounts of the filter. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventAccounts"];
            };
        };
        responses: {
            /** @description A stream of events, or a page. */
            200: {
                content: {
                    "text/event-stream": string;
                    "application/x-ndjson": (components["schemas"]["FollowEvent"] | components["schemas"]["TagEvent"] | components["schemas"]["ListEvent"] | components["schemas"]["LocationEvent"] | components["schemas"]["RoleEvent"] | components["schemas"]["PrimaryEvent"] | components["schemas"]["UndoEvent"]) | components["schemas"]["ProgressEvent"];
                    "application/json": components["schemas"]["EventsPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserAccount: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Address and profile of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListAccount: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Address and profile of the account of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListAccount"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserDetails: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Profile, ranks, primary list and counts of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["AccountDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListDetails: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Profile, ranks, primary list and counts of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["AccountDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserSimpleProfile: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description What fits on one line about an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["SimpleProfile"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserQr: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description An SVG picture. */
            200: {
                content: {
                    "image/svg+xml": components["schemas"]["Svg"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserEns: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description The ENS profile of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["EnsProfile"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserEnsAvatar: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            302: components["responses"]["Found"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserPrimaryList: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description The primary list of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["PrimaryList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserLists: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description The lists of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Lists"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserStats: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Current counts of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListStats: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Current counts of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserBadges: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description The event badges of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Badges"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListBadges: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description The event badges of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["Badges"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSlotsDetails: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Number of a chain.
                 * @example 8453
                 */
                chain_id: number;
                /**
                 * @description Address of a list records contract, in any letter case.
                 * @example 0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33
                 */
                contract: string;
                /**
                 * @description Number of a storage slot, hexadecimal.
                 * @example 0x1e94223b46b99944d84b37a0f62a3e66638c21b78429b9d59d9f67bd6d736d06
                 */
                slot: string;
            };
        };
        responses: {
            /** @description A storage slot. */
            200: {
                content: {
                    "application/json": components["schemas"]["SlotDetailsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMinters: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description A page of accounts that have a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Minters"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getList: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description What a list is. */
            200: {
                content: {
                    "application/json": components["schemas"]["List"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserAllFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListAllFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserMutuals: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only followers that put at least one of them on the account. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of followers that the account follows. */
            200: {
                content: {
                    "application/json": components["schemas"]["Mutuals"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserRelationships: {
        parameters: {
            query: {
                /**
                 * @description The tag.
                 * @example top8
                 */
                tag: string;
                /**
                 * @description Edges to the account, or from it.
                 * @example incoming
                 */
                direction: "incoming" | "outgoing" | "in" | "out";
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of accounts with an edge that has a tag. */
            200: {
                content: {
                    "application/json": components["schemas"]["Relationships"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserLatestFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListLatestFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchUserFollowers: {
        parameters: {
            query?: {
                /**
                 * @description Substring of a name or an address, in any letter case. Empty: no results.
                 * @example juni
                 */
                term?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchListFollowers: {
        parameters: {
            query?: {
                /**
                 * @description Substring of a name or an address, in any letter case. Empty: no results.
                 * @example juni
                 */
                term?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["Followers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserFollowing: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only records that have at least one of them. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListFollowing: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only records that have at least one of them. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserAllFollowing: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only records that have at least one of them. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListAllFollowing: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description Comma-separated tags, like `top8,gm`: only records that have at least one of them. */
                tags?: string;
                /** @description Newest change of the record first, oldest first, or most followers first. Follower counts are as of the last ranking. */
                sort?: "latest" | "earliest" | "followers";
                /** @description `ens` adds the profile of its account to each entry. Comma-separated, or given several times; other words are ignored. */
                include?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchUserFollowing: {
        parameters: {
            query?: {
                /**
                 * @description Substring of a name or an address, in any letter case. Empty: no results.
                 * @example juni
                 */
                term?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchListFollowing: {
        parameters: {
            query?: {
                /**
                 * @description Substring of a name or an address, in any letter case. Empty: no results.
                 * @example juni
                 */
                term?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserAllFollowingAddresses: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Addresses, latest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["Addresses"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListAllFollowingAddresses: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Addresses, latest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["Addresses"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserListRecords: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description All records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Records"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListRecords: {
        parameters: {
            query?: {
                /** @description Whether records have their tags. */
                includeTags?: "true" | "false";
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description All records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Records"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportState: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Records of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserFollowerState: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
                /**
                 * @description The other account: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS2: string;
            };
        };
        responses: {
            /** @description How the second account relates to the first. */
            200: {
                content: {
                    "application/json": components["schemas"]["FollowerState"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListFollowerState: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
                /**
                 * @description The other account: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description How a list and another account relate. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListState"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserButtonState: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
                /**
                 * @description The other account: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS2: string;
            };
        };
        responses: {
            /** @description How a list and another account relate. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListState"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListButtonState: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
                /**
                 * @description The other account: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description How a list and another account relate. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListState"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserRelationship: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
                /**
                 * @description The other account: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS2: string;
            };
        };
        responses: {
            /** @description How two accounts relate. */
            200: {
                content: {
                    "application/json": components["schemas"]["PairRelationship"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserPath: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account that the path begins at: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
                /**
                 * @description The account that it ends at: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                addressOrENS2: string;
            };
        };
        responses: {
            /** @description A shortest path from one account to another. */
            200: {
                content: {
                    "application/json": components["schemas"]["Path"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserHops: {
        parameters: {
            query: {
                /**
                 * @description Addresses or ENS names, comma-separated or given several times; 200 at most.
                 * @example juniper.eth,unclaimed.eth
                 */
                accounts: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account that the steps begin at: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description How far accounts are from an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["HopsList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postUserHops: {
        parameters: {
            query?: {
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account that the steps begin at: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        /** @description Addresses or ENS names. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["HopsAccounts"];
            };
        };
        responses: {
            /** @description How far accounts are from an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["HopsList"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserTags: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Tags of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["UserTags"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListTags: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Tags of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListTags"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserTaggedAs: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description Tags of an account. */
            200: {
                content: {
                    "application/json": components["schemas"]["UserTags"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListTaggedAs: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description Tags of a list. */
            200: {
                content: {
                    "application/json": components["schemas"]["ListTags"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchLeaderboard: {
        parameters: {
            query?: {
                /** @description Substring of a name or an address, in any letter case. Empty: all members. */
                term?: string;
                /** @description `true`: if no name starts with a term of at least four letters, names with one wrong, missing, additional or swapped letter follow the names that contain it. */
                guess?: "false" | "true";
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description A page of the leaderboard. */
            200: {
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardRanked: {
        parameters: {
            query?: {
                /** @description The count to sort by; `blocked` and `blocks` are the same. */
                sort?: "mutuals" | "followers" | "following" | "blocked" | "blocks" | "top8";
                /** @description Sort direction. */
                direction?: "desc" | "asc";
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description A page of the leaderboard by one count. */
            200: {
                content: {
                    "application/json": components["schemas"]["RankedLeaderboard"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardCount: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description The size of the leaderboard. */
            200: {
                content: {
                    "application/json": components["schemas"]["LeaderboardCount"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardAll: {
        parameters: {
            query?: {
                /** @description Number of entries; all by default. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Members of the leaderboard. */
            200: {
                content: {
                    "application/json": components["schemas"]["AllMembers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardFollowers: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["FollowersRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardFollowing: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["FollowingRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardMutuals: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["MutualsRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardBlocked: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["BlockedRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardBlocks: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["BlocksRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardMuted: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["MutedRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLeaderboardMutes: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Accounts whose count is above 0, greatest first. */
            200: {
                content: {
                    "application/json": components["schemas"]["MutesRows"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description Numbers of the whole graph. */
            200: {
                content: {
                    "application/json": components["schemas"]["Totals"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserNotifications: {
        parameters: {
            query?: {
                /** @description 1 follow, 2 unfollow, 3 tag, 4 untag, 0 any. */
                opcode?: number;
                /** @description Length of the interval that ends at `start`; a month is 720 hours. */
                interval?: "hour" | "day" | "week" | "month" | "all";
                /** @description Unix time in seconds at which the interval ends, inclusive; now by default. */
                start?: number;
                /** @description Only tag and untag operations with this tag. */
                tag?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of notifications. */
            200: {
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserActivity: {
        parameters: {
            query?: {
                /** @description 1 follow, 2 unfollow, 3 tag, 4 untag, 0 any. */
                opcode?: number;
                /** @description Length of the interval that ends at `start`; a month is 720 hours. */
                interval?: "hour" | "day" | "week" | "month" | "all";
                /** @description Unix time in seconds at which the interval ends, inclusive; now by default. */
                start?: number;
                /** @description Only tag and untag operations with this tag. */
                tag?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of what an account did. */
            200: {
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListActivity: {
        parameters: {
            query?: {
                /** @description 1 follow, 2 unfollow, 3 tag, 4 untag, 0 any. */
                opcode?: number;
                /** @description Length of the interval that ends at `start`; a month is 720 hours. */
                interval?: "hour" | "day" | "week" | "month" | "all";
                /** @description Unix time in seconds at which the interval ends, inclusive; now by default. */
                start?: number;
                /** @description Only tag and untag operations with this tag. */
                tag?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of what an account did. */
            200: {
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserHistory: {
        parameters: {
            query?: {
                /** @description Length of the intervals. */
                interval?: "day" | "week" | "month";
                /** @description A time in the first interval; by default the first one with a follow or an unfollow, but at most 1000 before `to`. An ISO date like `2025-11-19`, in UTC, or Unix seconds. */
                from?: string;
                /** @description A time in the last interval; now by default. An ISO date like `2025-11-19`, in UTC, or Unix seconds. */
                to?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description The followers of an account over time. */
            200: {
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserCommonFollowers: {
        parameters: {
            query?: {
                /**
                 * @description The account that they follow, by default the account itself: an address in any letter case, or an ENS name.
                 * @example juniper.eth
                 */
                leader?: string;
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of common followers. */
            200: {
                content: {
                    "application/json": components["schemas"]["CommonFollowers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserRecommended: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of accounts to follow. */
            200: {
                content: {
                    "application/json": components["schemas"]["Recommended"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListRecommended: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of accounts to follow. */
            200: {
                content: {
                    "application/json": components["schemas"]["Recommended"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserRecommendedDetails: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description The account: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                addressOrENS: string;
            };
        };
        responses: {
            /** @description A page of accounts to follow, with profiles. */
            200: {
                content: {
                    "application/json": components["schemas"]["RecommendedDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListRecommendedDetails: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        responses: {
            /** @description A page of accounts to follow, with profiles. */
            200: {
                content: {
                    "application/json": components["schemas"]["RecommendedDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    discover: {
        parameters: {
            query?: {
                /** @description Number of entries on the page. More than 1000 is read as 1000. */
                limit?: number;
                /** @description Index of the first entry of the page. */
                offset?: number;
                /** @description Begins the page where another one ended: from its `Link` header. Excludes `offset`. */
                cursor?: string;
                /** @description `fresh` skips the cache, fetches profiles and badges from their sources again, and updates the cache. */
                cache?: "fresh";
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        responses: {
            /** @description A page of accounts that were followed recently. */
            200: {
                content: {
                    "application/json": components["schemas"]["Discover"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccounts: {
        parameters: {
            query?: {
                /**
                 * @description The account that `state` and `follower_state` are about: an address in any letter case, or an ENS name.
                 * @example ada.eth
                 */
                viewer?: string;
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        /** @description Addresses or ENS names. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchAccounts"];
            };
        };
        responses: {
            /** @description An entry for each of the given accounts, in the same order; null for what is no account. */
            200: {
                content: {
                    "application/json": components["schemas"]["BatchAccountList"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEdgesAmong: {
        parameters: {
            query?: {
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
        };
        /** @description Addresses or ENS names. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AmongAccounts"];
            };
        };
        responses: {
            /** @description All edges among the given accounts. */
            200: {
                content: {
                    "application/json": components["schemas"]["EdgesAmong"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListButtonStateBatch: {
        parameters: {
            query?: {
                /** @description Answers when these blocks are indexed, within ten seconds: up to three, comma-separated, each the number of a chain and of its block, like `8453:20180411`. */
                after?: string;
            };
            path: {
                /**
                 * @description Token id of a list, decimal.
                 * @example 3
                 */
                token_id: string;
            };
        };
        /** @description Addresses or ENS names. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchAccounts"];
            };
        };
        responses: {
            /** @description An entry for each of the given accounts, in the same order. */
            200: {
                content: {
                    "application/json": components["schemas"]["BatchStates"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
