#if SyncServer
  import Testing
  import UndercroftSync
  import UndercroftSyncServer

  @Suite struct ScopeRuleTests {
    @Test(arguments: [
      ("user:7", "user:7", true), ("user:7", "user:77", false), ("user:7", "user:", false),
      ("team:*", "team:", true), ("team:*", "team:a:b", true), ("team:*", "tea", false),
      ("*", "anything", true), ("", "anything", false), ("a*b", "a*b", true), ("a*b", "axb", false),
      ("\u{e9}", "e\u{301}", false), ("e*", "\u{e9}", false),
    ])
    func `a pattern matches one scope, or all scopes with its beginning`(
      pattern: String, scope: String, isMatch: Bool
    ) {
      #expect(ScopeRule(pattern).matches(ScopeIdentifier(scope)) == isMatch)
    }

    @Test func `the greatest access of all matching rules counts`() {
      let account = Account(
        name: "librarian", rules: [ScopeRule("*", .read), ScopeRule("team:*", .readWrite)],
        tokenIdentifier: "t")

      #expect(account.access(to: "team:a") == .readWrite)
      #expect(account.access(to: "news") == .read)
    }
  }
#endif
