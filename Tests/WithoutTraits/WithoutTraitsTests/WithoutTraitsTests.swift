import Foundation
import Testing
import Undercroft

extension StorageKey<Int> {
  fileprivate static var fontSize: Self { Self("font-size", kind: .preference, default: 12) }
}

extension StorageKey<String?> {
  fileprivate static var session: Self { Self("session", kind: .secret) }
  fileprivate static var loan: Self { Self("loan", kind: .document) }
}

@Suite struct WithoutTraitsTests {
  @Test func `without traits, no package for cryptography or networks is resolved`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let resolved = try String(
      contentsOf: folder.appending(path: "Package.resolved"), encoding: .utf8)

    #expect(resolved.contains("swift-log"))
    for package in ["swift-crypto", "swift-nio", "hummingbird", "async-http-client", "jwt-kit"] {
      #expect(!resolved.contains(package))
    }
  }

  @Test func `every data kind except secrets has a default backend`() throws {
    try withHome { home in
      let storage = try Storage(home: home)

      try storage.save(14, for: .fontSize)
      try storage.save("Dune", for: .loan)

      let later = try Storage(home: home)
      #expect(later[.fontSize] == 14)
      #expect(try later.load(.loan) == "Dune")
    }
  }

  @Test func `the error for a secret without a backend suggests enabling the trait Secrets`() throws
  {
    try withHome { home in
      var storage = try Storage(home: home)

      let error = #expect(throws: StorageError.self) { try storage.save("Ada", for: .session) }
      let refused = #expect(throws: StorageError.self) {
        try storage.use(.settings(at: home.appending(path: "secrets")), for: .secret)
      }

      #expect(error?.code == .unavailable)
      #expect(error?.suggestion?.contains(#"enable the trait "Secrets""#) == true)
      #expect(error?.suggestion?.contains("use(_, for: .secret)") == true)
      #expect(refused?.suggestion?.contains(#"enable the trait "Secrets""#) == true)
    }
  }

  @Test func `a secret can have a backend of the application's choice`() throws {
    try withHome { home in
      var storage = try Storage(home: home)
      try storage.use(.memory, for: .secret)

      try storage.save("Ada", for: .session)

      #expect(try storage.load(.session) == "Ada")
    }
  }

  @Test func `the inspector lists a storage directory that has no secrets`() throws {
    try withHome { home in
      try Storage(home: home).save("Dune", for: .loan)

      let listed = try run("undercroft", ["ls", home.path])

      #expect(listed.status == 0)
      #expect(listed.output.contains("document"))
    }
  }

  @Test(arguments: ["undercroft", "shelf"])
  func `a tool without the trait GDBM does not link libgdbm`(name: String) throws {
    let program = try Data(contentsOf: program(name))

    #expect(program.range(of: Data("libsqlite3".utf8)) != nil)
    #expect(program.range(of: Data("libgdbm".utf8)) == nil)
  }

  private func withHome(_ body: (URL) throws -> Void) throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "undercroft-\(UUID())")
    defer { try? FileManager.default.removeItem(at: home) }
    try body(home)
  }
}
