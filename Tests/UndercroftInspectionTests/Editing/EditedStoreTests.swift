import Foundation
import TestSupport
import Testing
import Undercroft
import UndercroftCore
import UndercroftInspection

@Suite struct EditedStoreTests {
  @Test func `a store of a factory without a closure for editing can only be read`() throws {
    try withTemporaryDirectory { folder in
      let url = folder.appending(path: "settings")
      try JournalledBackend(at: url).apply([.set("theme", Data("dark".utf8))])
      let readOnly = StoreInspectorFactory(
        scheme: "settings", recognises: { StoreInspectorFactory.settings.recognises($0) },
        open: { (url, credentials) throws(StorageError) in
          try StoreInspectorFactory.settings.open(url, credentials)
        })
      let store = try #require(try Inspector([readOnly]).stores(at: url).first)

      let error = #expect(throws: StorageError.self) { _ = try store.edit() }

      #expect(error?.code == .notSupported)
      #expect(error?.message.contains("only for reading") == true)
    }
  }

  @Test func `an edited store adds the prefix of its kind to names`() throws {
    try withTemporaryDirectory { home in
      var storage = try Storage(home: home)
      let backend = BackendChoice.files(in: home.appending(path: "shared"))
      let loans = DataKind("loan")
      try storage.use(backend.namespaced("loan"), for: loans)
      try storage.save("Emma", for: StorageKey("1", kind: loans, default: "", as: .string))
      let stores = try Inspector(StoreInspectorFactory.standard).stores(at: home)
      let store = try #require(stores.first { $0.kind == "loan" })

      let edited = try store.edit()
      let old = try edited.bytes(of: "1")
      try edited.withExclusiveAccess {
        try edited.apply([.set("1", Data("Dune".utf8)), .set("2", Data())])
      }

      #expect(old == Data("Emma".utf8))
      #expect(try storage.names(of: loans).sorted() == ["1", "2"])
      let names = try FileBackend(in: home.appending(path: "shared")).keys(withPrefix: "")
      #expect(names == ["loan/1", "loan/2"])
    }
  }
}
