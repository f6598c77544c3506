import Crypto
import Foundation
import TestSupport
import Testing
import Undercroft

/// Tests that pin the format in `Docs/Formats/Vault.md`.
@Suite struct VaultFormatTests {
  private static let key = Data(0..<32)

  /// A vault of epoch 3 with two slots, a key file of the bytes 00 … 1f and the passphrase
  /// "office hours" (N = 16), and three records in two batches.
  ///
  /// An implementation of the format in another language wrote this vault.
  private static let vault = Data(
    hex: """
      554e44564c5430316e010000404142434445464748494a4b4c4d4e4f03000000000000000200010000000000
      0000606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f0fb3855904c8be772497
      eed8bc4a34d1072cc2766c7b14bb1cfd32b1d25ca5fbb0b1b2b3b4b5b6b7b8b9babbe9b2e275de056448e409
      144a217ac0e75c63afd83fa217481515234ad71d2f12821666c02f62315cece91c6fd85f0a6e020408010000
      0000c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedffffcecf0804bc5a1e393
      06e4193fb0420924f07171df4022c15a194153c9e0bfe0e1e2e3e4e5e6e7e8e9eaeb7719db62a8ccfafff60a
      1f4f8ba233b56a601cc43491d840c3e0f52fdd08b1a93c8c296faf4c2585ccd1817df5cceb290d532a86caf5
      f1eebeec53ca38369d049050e42b41ed471a2f7a9836812ec5d179b6930d356975f322af09eebc778ba59f4a
      f3e0209bcc27d9e9e008010132c72c010000279f65b701010101010101010101010101010101020202020202
      02020202020274bcb62e5858460ce3cbd4c99f24663041d19b1e6d8e8cfa8708e92cd688c31113ae152adcf6
      51f50ca444464993398b3c9f167f3c908ff338229477e74f33833e5eda4e95135f630e57e1d380d5b2affd79
      e8e208210513e0903f874ac125e1a8a92b4f15e9fa085281c1a79147895f4dde3df7e6d632ca6fb027b28cff
      cf3eac45e8db78908947916e860e0b3f239ed8e6151c1fbc395351b1d9c1bf2dc545910d2aa617cf7b701a79
      1f9d2d8ea5314c42da35e768d1132af65c2fcbaf5c592cd9afb3131d95d4974399c00a0db607cdd226b05260
      6203f3584cbd831137f3fa131ba0bd635705d75440a3c6ebd169e04b0f220fbbecfa02b367961fc7496f6191
      a717aff01acd0da415a6cb8a89ce2c010000279f65b703030303030303030303030303030303040404040404
      0404040404048a71b9da912bff29da4199ccf865a637a4014fe9a9e984dc3c048496b300874f977e4aa9d0b7
      abb2fe312a74d650398ed226af1527b42125477f282e9edb20accdf299b2c58796c7ca7db4b664ffb5d004a1
      9433f29c4103617e2bc233b47d204d6c1d778c402b481d471d138610d7d34f80dc2ddbfca8ea0bfbf16f0575
      bc46ba30798b1c6015a9799f9dbc1030ec673531ab61d7af1748db33aa228546236fb7ba4f09f36872f3739c
      e0b0624527df9b25cb208c69a1b12360a4216a0a89cc42ce69abd5b97583bb925cddbdc20c80b7c2ea3dc240
      ec95f06a28bff507d0667f84f99872a2d863c75d7643fa1670911444ec155d17b164b4db71b6f117516f908f
      0de92eb0be931c9377658d9de14a2c010000279f65b705050505050505050505050505050505060606060606
      060606060606bc90f4ae836978c011c200923a1fc257d3981ef3a5c16a03ab9753a53ddbedf74fa6a39da498
      100d665ecd700a7fd1fc6ceb22f881c5da72a7ee8da79e2f5f0388cb03f46e7aff587f3b5558f75c708b7ea9
      88a8d05f6558991c00b70f6f8b3f323850acc23e4900356e8bf3434abeef5fa34665303608359d969f1fc257
      fc0cd9ee6c33ce3b359a019eb7f2b0236233c9a7f31bdbae0e772099a2667fd0f62c8058d89171ca6626e9d5
      e537fdd6a79264d101676eb3ffcff65bd48e972b9354b990c32e3ab3fd5043d4f82116981d095596cfc45b42
      172a6fbcf9932c12ae498ba143cf2a1af9c0782332dedb3f0c3fc1c890dac068a04a5c6a28df1183805654c5
      7ac98c11182e75aaddb5b1a2b02a
      """)

  private static func write(_ bytes: Data, to url: URL) throws {
    try bytes.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
  }

  @Test(arguments: [nil, "office hours", "oﬃce hours"])
  func `the golden bytes of a vault are decrypted`(passphrase: String?) throws {
    try withTemporaryDirectory { directory in
      let (url, keyFile) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      try Self.write(Self.vault, to: url)
      try Self.write(Self.key, to: keyFile)
      let key = passphrase.map { VaultKey.passphrase($0, logRounds: 4) } ?? .keyFile(keyFile)

      let vault = try VaultBackend(at: url, unlockedBy: key)

      #expect(vault.damage == nil)
      #expect(try vault.keys(withPrefix: "") == ["card", "token", "ü"])
      #expect(try vault.read("card") == Data("4111".utf8))
      #expect(try vault.read("token") == Data("hunter2".utf8))
      #expect(try vault.read("ü") == Data())
      #expect(try Data(contentsOf: url) == Self.vault)
    }
  }

  @Test func `the steps in the documentation of the vault format decrypt a vault`() throws {
    try withTemporaryDirectory { directory in
      let (url, keyFile) = (directory.appending(path: "vault"), directory.appending(path: "key"))
      try Self.write(Self.key, to: keyFile)
      do {
        let vault = try VaultBackend(at: url, unlockedBy: .keyFile(keyFile))
        // The value is so large that the removal does not make the backend rewrite the vault.
        try vault.apply([.set("scan", Data(count: 70_000)), .set("ü", Data())])
        try vault.apply([.remove("absent"), .set("card", Data(count: 250))])
      }

      let page = try VaultPage(reading: Data(contentsOf: url), key: Self.key)

      #expect(page.epoch == 1)
      #expect(page.kinds == [1])

      let scan = Data([1, 0, 4, 0, 0, 0]) + Data("scan".utf8) + Data([112, 17, 1, 0])
      let expected = [
        // In steps of an eighth of 65,536 bytes.
        (scan, 73_728),
        (Data([1, 1, 2, 0, 0, 0]) + Data("ü".utf8) + Data([0, 0, 0, 0]), 256),
        (Data([2, 0, 6, 0, 0, 0]) + Data("absent".utf8), 256),
        (Data([1, 1, 4, 0, 0, 0]) + Data("card".utf8) + Data([250, 0, 0, 0]), 512),
      ]

      #expect(page.records.count == expected.count)
      for (record, (start, size)) in zip(page.records, expected) {
        #expect(record == start + Data(count: size - start.count))
      }
    }
  }

  @Test func `a new vault has a key file of 32 bytes and an empty lock file`() throws {
    try withTemporaryDirectory { directory in
      let keyFile = directory.appending(path: "key")

      _ = try VaultBackend(at: directory.appending(path: "vault"), unlockedBy: .keyFile(keyFile))

      #expect(try Data(contentsOf: keyFile).count == 32)
      #expect(try Data(contentsOf: directory.appending(path: "vault.lock")).isEmpty)
    }
  }
}
