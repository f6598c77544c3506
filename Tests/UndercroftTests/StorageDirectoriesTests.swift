import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct StorageDirectoriesTests {
  @Test func `StorageDirectories follows the environment variables of the XDG specification`()
    throws
  {
    let directories = try StorageDirectories(
      application: "shelf",
      environment: [
        "HOME": "/home/ada", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "relative/is/ignored",
        "XDG_CACHE_HOME": "",
      ])
    let odd = try StorageDirectories(
      application: "shelf", environment: ["HOME": "/\u{301}", "XDG_DATA_HOME": "/\u{301}data"])

    #expect(odd.data.path == "/\u{301}data/shelf")
    #expect(odd.cache.path == "/\u{301}/.cache/shelf/values")
    #expect(directories.data.path == "/data/shelf")
    #expect(directories.configuration.path == "/home/ada/.config/shelf")
    #expect(directories.cache.path == "/home/ada/.cache/shelf/values")
  }

  @Test
  func `removing all cached values leaves the files of other libraries in the cache directory`()
    throws
  {
    try withTemporaryDirectory { home in
      let caches = home.appending(path: ".cache/shelf")
      try FileManager.default.createDirectory(at: caches, withIntermediateDirectories: true)
      try Data("fonts".utf8).write(to: caches.appending(path: "fonts.cache"))
      let environment = ["HOME": home.path]
      let cover = StorageKey<String?>("cover", kind: .cache)

      let storage = try Storage(
        StorageDirectories(application: "shelf", environment: environment), application: "shelf")
      try storage.save("Dune", for: cover)
      #expect(try storage.names(of: .cache) == ["cover"])
      try storage.removeAll(of: .cache)

      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: caches.path))
          == ["fonts.cache", "values"])
    }
  }

  @Test func `a cache directory that an earlier release used directly as a store is still used`()
    throws
  {
    try withTemporaryDirectory { home in
      let caches = home.appending(path: ".cache/shelf")
      let cover = StorageKey<String?>("cover", kind: .cache)
      var earlier = Storage()
      try earlier.use(.files(in: caches), for: .cache)
      try earlier.save("Dune", for: cover)

      let directories = try StorageDirectories(
        application: "shelf", environment: ["HOME": home.path])
      #expect(directories.cache.path == caches.path)
      #expect(try Storage(directories, application: "shelf").load(cover) == "Dune")
    }
  }

  @Test func `the error for a HOME variable without an absolute path suggests passing a directory`()
    throws
  {
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
  func `an application name that cannot be a folder name is refused`(name: String) {
    let error = #expect(throws: StorageError.self) {
      try StorageDirectories(application: name, environment: ["HOME": "/home/ada"])
    }
    #expect(error?.code == .misuse)
  }
}
