import Foundation
import Testing
import Undercroft
import UndercroftInspection

/// Tests that pin the format in `Docs/Formats/Manifest.md`.
@Suite struct ManifestFormatTests {
  private static let text = """
    {
      "application" : "library",
      "routes" : [
        {
          "backend" : "files",
          "codec" : "bytes",
          "isConfidential" : false,
          "isSealed" : true,
          "kind" : "blob",
          "path" : "blobs",
          "prefix" : ""
        },
        {
          "backend" : "propertyLists",
          "codec" : "plist-xml",
          "isConfidential" : false,
          "kind" : "document",
          "path" : "/elsewhere/documents",
          "prefix" : ""
        },
        {
          "backend" : "settings",
          "codec" : "plist-binary",
          "isConfidential" : false,
          "kind" : "preference",
          "path" : "settings",
          "prefix" : "hall/"
        },
        {
          "backend" : "vault",
          "codec" : "json",
          "isConfidential" : true,
          "kind" : "secret",
          "path" : "secrets/vault",
          "prefix" : ""
        }
      ],
      "version" : 1
    }

    """

  private static let home = URL(filePath: "/home/ada/library")

  private static func storage() throws -> Storage {
    var storage = Storage()
    try storage.use(
      .settings(at: home.appending(path: "settings")).namespaced("hall"), for: .preference,
      as: .binaryPropertyList)
    try storage.use(
      .propertyLists(in: URL(filePath: "/elsewhere/documents")), for: .document)
    try storage.use(
      .vault(
        at: home.appending(path: "secrets/vault"), unlockedBy: .keyFile(URL(filePath: "/keys/k"))),
      for: .secret)
    try storage.use(
      .files(in: home.appending(path: "blobs")).encrypted(with: .bytes(Data(count: 32))),
      for: DataKind("blob"), as: .bytes)
    try storage.use(.memory, for: .cache)
    return storage
  }

  @Test func `a written manifest has the golden bytes`() throws {
    let routes = try Self.storage().routeDescriptions

    let manifest = StorageManifest(application: "library", home: Self.home, routes)

    #expect(try String(decoding: manifest.encoded, as: UTF8.self) == Self.text)
    #expect(StorageManifest.fileName == "undercroft.json")
  }

  @Test func `the golden bytes of a manifest are decoded`() throws {
    let manifest = try StorageManifest(decoding: Data(Self.text.utf8), from: "undercroft.json")

    #expect(manifest.version == 1)
    #expect(manifest.application == "library")
    #expect(manifest.routes.map(\.kind) == ["blob", "document", "preference", "secret"])
    #expect(manifest.routes.map(\.backend) == ["files", "propertyLists", "settings", "vault"])
    #expect(manifest.routes.map(\.codec) == ["bytes", "plist-xml", "plist-binary", "json"])
    #expect(
      manifest.routes.map(\.path) == ["blobs", "/elsewhere/documents", "settings", "secrets/vault"])
    #expect(manifest.routes.map(\.prefix) == ["", "", "hall/", ""])
    #expect(manifest.routes.map(\.isConfidential) == [false, false, false, true])
    #expect(manifest.routes.map(\.isEncrypted) == [true, nil, nil, nil])
  }

  @Test(arguments: [(0, StorageError.Code.corrupted), (-1, .corrupted), (2, .notSupported)])
  func `the error of an unsupported manifest version names the version`(
    version: Int, code: StorageError.Code
  ) {
    let text = Self.text.replacing("\"version\" : 1", with: "\"version\" : \(version)")

    let error = #expect(throws: StorageError.self) {
      try StorageManifest(decoding: Data(text.utf8), from: "undercroft.json")
    }

    #expect(error?.code == code)
    #expect(error?.message.contains("has the format version \(version), ") == true)
  }

  @Test func `the stored names of backends, data kinds and codecs equal the documented names`()
    throws
  {
    let home = Self.home
    var storage = try Storage(home: home)
    try storage.use(.sqlite(at: home.appending(path: "loans.sqlite")), for: DataKind("loan"))

    let routes = storage.routeDescriptions

    #expect(
      routes.map { "\($0.kind) \($0.address?.scheme ?? "") \($0.codec)" } == [
        "archive singleFile json", "blob files bytes", "cache files json",
        "document propertyLists plist-xml", "loan sqlite json", "preference settings json",
        "record sqlite json", "secret vault json",
      ])
    #expect(BytesCodec().name == "bytes")
    #expect(StringCodec().name == "string")
    #expect(PropertyListCodec(.xml).name == "plist-xml")
    #expect(PropertyListCodec(.binary).name == "plist-binary")
  }
}
