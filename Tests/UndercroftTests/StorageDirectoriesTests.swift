import Foundation
import Testing
import Undercroft

@Suite struct StorageDirectoriesTests {
  @Test func `the environment says where an application's data belongs`() throws {
    let directories = try StorageDirectories(
      application: "shelf",
      environment: [
        "HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative/is/ignored",
        "XDG_CACHE_HOME": "",
      ])
    let odd = try StorageDirectories(
      application: "shelf", environment: ["HOME": "/\u{301}", "XDG_DATA_HOME": "/\u{301}data"])
    #expect(odd.data.path == "/\u{301}data/shelf")
    #expect(odd.cache.path == "/\u{301}/.cache/shelf")
    #expect(directories.data.path == "/data/shelf")
    #expect(directories.configuration.path == "/home/ada/.config/shelf")
    #expect(directories.cache.path == "/home/ada/.cache/shelf")
  }

  @Test func `without a home directory the error says what to do`() throws {
    let error = #expect(throws: StorageError.self) {
      try StorageDirectories(application: "shelf", environment: ["HOME": "not/absolute"])
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("Storage(home:)") == true)
  }

  @Test(arguments: [
    "", "a/b", "..", ".hidden", ".\u{301}hidden", "..\u{301}", "a/\u{301}b", "nul\0", "line\nbreak",
    String(repeating: "x", count: 101),
  ])
  func `a name that is no folder of its own is refused`(name: String) {
    let error = #expect(throws: StorageError.self) {
      try StorageDirectories(application: name, environment: ["HOME": "/home/ada"])
    }
    #expect(error?.code == .misuse)
  }
}
