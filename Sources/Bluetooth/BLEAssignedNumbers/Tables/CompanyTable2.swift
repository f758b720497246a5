// Written by Scripts/assigned-numbers from bluetooth-numbers-database 5387e83bccbf; see Sources/Bluetooth/NOTICE.md.
extension AssignedNumbers {
    /// Companies by identifier.
    static let companyTable2 = #"""
        05B9 Suzhou Pairlink Network Technology¦igloohome¦Oxford Metrics plc¦Leviton Mfg. Co., Inc.¦ULC Robotics Inc.
        05BF Real-World-Systems Corporation¦Nalu Medical, Inc.¦P.I.Engineering¦Grote Industries¦Runtime, Inc.
        05C4 Codecoup sp. z o.o. sp. k.¦SELVE GmbH & Co. KG
        05C7 Lippert Components, INC¦SOMFY SAS¦TBS Electronics B.V.¦MHL Custom Inc¦LucentWear LLC¦WATTS ELECTRONICS
        05CD RJ Brands LLC¦V-ZUG Ltd¦Biowatch SA¦Anova Applied Electronics¦Lindab AB¦frogblue TECHNOLOGY GmbH
        05D3 Acurable Limited¦LAMPLIGHT Co., Ltd.¦TEGAM, Inc.¦Zhuhai Jieli technology Co.,Ltd¦modum.io AG¦Farm Jenny LLC
        05D9 Toyo Electronics Corporation¦Applied Neural Research Corp¦Avid Identification Systems, Inc.¦Petronics Inc.
        05DD essentim GmbH¦QT Medical INC.¦VIRTUALCLINIC.DIRECT LIMITED¦Viper Design LLC¦Human, Incorporated
        05E2 stAPPtronics GmbH¦Elemental Machines, Inc.¦Taiyo Yuden Co., Ltd¦INEO ENERGY& SYSTEMS
        05E6 Motion Instruments Inc.¦PressurePro¦COWBOY¦iconmobile GmbH¦ACS-Control-System GmbH
        05EB Bayerische Motoren Werke AG¦Gycom Svenska AB¦Fuji Xerox Co., Ltd
        05EF SIKOM AS¦beken¦The Linux Foundation¦Try and E CO.,LTD.¦SeeScan¦Clearity, LLC¦GS TAG¦DPTechnics¦TRACMO, INC.
        05F8 Anki Inc.¦Hagleitner Hygiene International GmbH¦Konami Sports Life Co., Ltd.¦Arblet Inc.¦Masbando GmbH
        05FD Innoseis¦Niko nv¦Wellnomics Ltd¦iRobot Corporation¦Schrader Electronics¦Geberit International AG
        0603 Fourth Evolution Inc
        0605 FMW electronic Futterer u. Maier-Wolf OHG¦John Deere¦Rookery Technology Ltd¦KeySafe-Cloud
        0609 BUCHI Labortechnik AG¦IQAir AG¦Triax Technologies Inc¦Vuzix Corporation¦TDK Corporation¦Blueair AB
        060F Signify Netherlands B.V.¦ADH GUARDIAN USA LLC¦Beurer GmbH¦Playfinity AS¦Hans Dinslage GmbH
        0614 OnAsset Intelligence, Inc.¦INTER ACTION Corporation¦OS42 UG (haftungsbeschraenkt)
        0617 WIZCONNECTED COMPANY LIMITED¦Audio-Technica Corporation¦Six Guys Labs, s.r.o.¦R.W. Beckett Corporation
        061B silex technology, inc.¦Univations Limited¦SENS Innovation ApS¦Diamond Kinetics, Inc.¦Phrame Inc.¦Forciot Oy
        0621 Noordung d.o.o.¦Beam Labs, LLC
        0624 Biovotion AG¦Square Panda, Inc.¦Amplifico¦WEG S.A.¦Ensto Oy¦PHONEPE PVT LTD
        062B MinebeaMitsumi Inc.¦ASPion GmbH¦Vossloh-Schwabe Deutschland GmbH¦Procept¦ONKYO Corporation¦Asthrea D.O.O.
        0631 Fortiori Design LLC¦Hugo Muller GmbH & Co KG¦Wangi Lai PLT¦Fanstel Corp¦Crookwood
        0636 ELECTRONICA INTEGRAL DE SONIDO S.A.¦GiP Innovation Tools GmbH¦LX SOLUTIONS PTY LIMITED
        0639 Shenzhen Minew Technologies Co., Ltd.¦Prolojik Limited¦Kromek Group Plc¦Contec Medical Systems Co., Ltd.
        063D Xradio Technology Co.,Ltd.¦The Indoor Lab, LLC¦LDL TECHNOLOGY¦Dish Network LLC
        0641 Revenue Collection Systems FRANCE SAS¦Bluetrum Technology Co.,Ltd¦makita corporation¦Apogee Instruments¦BM3
        0646 SGV Group Holding GmbH & Co. KG¦MED-EL¦Ultune Technologies¦Ryeex Technology Co.,Ltd.
        064A Open Research Institute, Inc.¦Scale-Tec, Ltd¦Zumtobel Group AG¦iLOQ Oy
        064E KRUXWorks Technologies Private Limited¦Digital Matter Pty Ltd¦Coravin, Inc.¦Stasis Labs, Inc.
        0652 ITZ Innovations- und Technologiezentrum GmbH¦Meggitt SA¦Ledlenser GmbH & Co. KG¦Renishaw PLC
        0656 ZhuHai AdvanPro Technology Company Limited¦Meshtronix Limited¦Payex Norge AS¦UnSeen Technologies Oy
        065A Marshall Group AB¦Sesam Solutions BV¦PixArt Imaging Inc.¦Panduit Corp.¦Alo AB¦Ricoh Company Ltd
        0660 RTC Industries, Inc.¦Mode Lighting Limited¦Particle Industries, Inc.¦Advanced Telemetry Systems, Inc.
        0664 RHA TECHNOLOGIES LTD¦Pure International Limited¦WTO Werkzeug-Einrichtungen GmbH¦Spark Technology Labs Inc.
        0668 Bleb Technology srl¦Livanova USA, Inc.¦Brady Worldwide Inc.¦DewertOkin GmbH¦Ztove ApS¦Venso EcoSolutions AB
        066E Eurotronik Kranj d.o.o.¦Hug Technology Ltd¦Gema Switzerland GmbH¦Buzz Products Ltd.¦Kopi
        0673 Innova Ideas Limited¦BeSpoon
        0676 Expai Solutions Private Limited¦Innovation First, Inc.¦SABIK Offshore GmbH¦4iiii Innovations Inc.
        067A The Energy Conservatory, Inc.¦I.FARM, INC.¦Tile, Inc.¦Form Athletica Inc.
        067F NETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO¦Mannkind Corporation
        0681 Trade FIDES a.s.¦Photron Limited¦Eltako GmbH¦Dermalapps, LLC¦Greenwald Industries¦inQs Co., Ltd.
        0687 Cherry GmbH¦Amsted Digital Solutions Inc.¦Tacx b.v.¦Raytac Corporation¦Jiangsu Teranovo Tech Co., Ltd.
        068E Razer Inc.¦JRM Group Limited¦Eccrine Systems, Inc.¦Curie Point AB¦Georg Fischer AG¦Hach - Danaher
        0694 T&A Laboratories LLC¦Koki Holdings Co., Ltd.¦Gunakar Private Limited¦Stemco Products Inc
        0698 Wood IT Security, LLC¦RandomLab SAS¦Adero, Inc.¦Dragonchip Limited¦Noomi AB
        069E Delta Electronics, Inc.¦FlowMotion Technologies AS¦OBIQ Location Technology Inc.¦Cardo Systems, Ltd
        06A2 Globalworx GmbH¦Nymbus, LLC¦LIMNO Co. Ltd.¦TEKZITEL PTY LTD¦Roambee Corporation
        06A7 Chipsea Technologies (ShenZhen) Corp.¦GD Midea Air-Conditioning Equipment Co., Ltd.
        06A9 Soundmax Electronics Limited¦Produal Oy¦HMS Industrial Networks AB¦Ingchips Technology Co., Ltd.
        06AD InnovaSea Systems Inc.¦SenseQ Inc.¦Shoof Technologies¦BRK Brands, Inc.¦SimpliSafe, Inc.
        06B2 Tussock Innovation 2013 Limited
        06B4 Sencilion Oy¦Wabilogic Ltd.¦Sociometric Solutions, Inc.¦iCOGNIZE GmbH¦ShadeCraft, Inc¦Beflex Inc.
        06BA Beaconzone Ltd¦Leaftronix Analogic Solutions Private Limited¦TWS Srl¦ABB Oy¦HitSeed Oy
        06C0 CAME S.p.A.¦Alarm.com Holdings, Inc¦Measurlogic Inc.¦King I Electronics.Co.,Ltd¦Dream Labs GmbH
        06C5 Urban Compass, Inc¦Simm Tronic Limited¦Somatix Inc¦Storz & Bickel GmbH & Co. KG¦MYLAPS B.V.
        06CA Shenzhen Zhongguang Infotech Technology Development Co., Ltd¦Dyeware, LLC
        06CC Dongguan SmartAction Technology Co.,Ltd.¦DIG Corporation¦FIOR & GENTZ
        06D0 Etekcity Corporation¦Meyer Sound Laboratories, Incorporated¦CeoTronics AG
        06D4 DYNAKODE TECHNOLOGY PRIVATE LIMITED¦Sensirion AG¦JCT Healthcare Pty Ltd¦FUBA Automotive Electronics GmbH
        06D8 AW Company¦Shanghai Mountain View Silicon Co.,Ltd.¦Zliide Technologies ApS¦Automatic Labs, Inc.
        06DC Industrial Network Controls, LLC¦Intellithings Ltd.¦Navcast, Inc.¦HLI Solutions Inc.¦Avaya Inc.
        06E1 Milestone AV Technologies LLC¦Alango Technologies Ltd¦Spinlock Ltd¦Aluna¦OPTEX CO.,LTD.
        06E6 NIHON DENGYO KOUSAKU¦VELUX A/S¦Almendo Technologies GmbH¦Zmartfun Electronics, Inc.¦SafeLine Sweden AB
        06EB Houston Radar LLC¦Sigur¦J Neades Ltd
        06EF ALCARE Co., Ltd.¦Chargy Technologies, SL¦Shibutani Co., Ltd.¦Trapper Data AB¦Alfred International Inc.
        06F4 Touché Technology Ltd¦Vigil Technologies Inc.¦Vitulo Plus BV¦WILKA Schliesstechnik GmbH
        06F8 BodyPlus Technology Co.,Ltd¦happybrush GmbH¦Enequi AB¦Sartorius AG¦Tom Communication Industrial Co.,Ltd.
        06FD ESS Embedded System Solutions Inc.¦Mahr GmbH¦Redpine Signals Inc¦TraqFreq LLC¦PAFERS TECH
        0702 Akciju sabiedriba "SAF TEHNIKA"¦Beijing Jingdong Century Trading Co., Ltd.¦JBX Designs Inc.¦AB Electrolux
        0706 Wernher von Braun Center for ASdvanced Research¦Essity Hygiene and Health Aktiebolag
        0708 Be Interactive Co., Ltd¦Carewear Corp.¦Huf Hülsbeck & Fürst GmbH & Co. KG¦Element Products, Inc.
        070C Beijing Winner Microelectronics Co.,Ltd¦SmartSnugg Pty Ltd¦FiveCo Sarl¦California Things Inc.¦Audiodo AB
        0711 ABAX AS¦Bull Group Company Limited¦Respiri Limited¦MindPeace Safety LLC¦MBARC LABS Inc¦Altonics
        0718 IDIBAIX enginneering¦COREIOT PTY LTD¦REVSMART WEARABLE HK CO LTD¦Precor¦F5 Sports, Inc¦exoTIC Systems
        071E DONGGUAN HELE ELECTRONICS CO., LTD¦Dongguan Liesheng Electronic Co.Ltd¦Oculeve, Inc.¦Clover Network, Inc.
        0722 Xiamen Eholder Electronics Co.Ltd¦Ford Motor Company¦Guangzhou SuperSound Information Technology Co.,Ltd
        0725 Tedee Sp. z o.o.¦PHC Corporation
        0728 Eli Lilly and Company¦SwaraLink Technologies¦JMR embedded systems GmbH¦Bitkey Inc.¦GWA Hygiene GmbH
        072D Safera Oy¦Open Platform Systems LLC¦OnePlus Electronics (Shenzhen) Co., Ltd.¦Wildlife Acoustics, Inc.
        0731 ABLIC Inc.¦Dairy Tech, LLC¦Iguanavation, Inc.¦DiUS Computing Pty Ltd¦UpRight Technologies LTD
        0736 Luna XIO, Inc.¦LLC Navitek¦Glass Security Pte Ltd¦Jiangsu Qinheng Co., Ltd.¦Chandler Systems Inc.
        073B Fantini Cosmi s.p.a.
        073D Beijing Hao Heng Tian Tech Co., Ltd.¦Bluepack S.R.L.¦Beijing Unisoc Technologies Co., Ltd.
        0741 MAC SRL¦DML LLC¦Sanofi¦SOCOMEC¦WIZNOVA, Inc.¦Seitec Elektronik GmbH¦OR Technologies Pty Ltd
        0748 GuangZhou KuGou Computer Technology Co.Ltd¦DIAODIAO (Beijing) Technology Co., Ltd.¦Illusory Studios LLC
        074B Sarvavid Software Solutions LLP
        074D Amtech Systems, LLC¦EAGLE DETECTION SA¦MEDIATECH S.R.L.
        0750 Hamilton Professional Services of Canada Incorporated¦Changsha JEMO IC Design Co.,Ltd¦Elatec GmbH
        0753 JLG Industries, Inc.¦Michael Parkin¦Brother Industries, Ltd¦Lumens For Less, Inc¦ELA Innovation
        0758 umanSense AB¦Shanghai InGeek Cyber Security Co., Ltd.¦HARMAN CO.,LTD.¦Smart Sensor Devices AB
        075C Antitronics Inc.¦RHOMBUS SYSTEMS, INC.¦Katerra Inc.¦Remote Solution Co., LTD.¦Vimar SpA¦Mantis Tech LLC
        0762 TerOpta Ltd¦PIKOLIN S.L.¦WWZN Information Technology Company Limited¦Voxx International
        0766 ART AND PROGRAM, INC.¦NITTO DENKO ASIA TECHNICAL CENTRE PTE. LTD.¦Peloton Interactive Inc.
        0769 Force Impact Technologies¦Dmac Mobile Developments, LLC¦Engineered Medical Technologies
        076C Noodle Technology inc¦Graesslin GmbH¦WuQi technologies, Inc.¦Successful Endeavours Pty Ltd
        0770 InnoCon Medical ApS¦Corvex Connected Safety¦Thirdwayv Inc.¦Echoflex Solutions Inc.¦C-MAX Asia Limited
        0775 4eBusiness GmbH¦Cyber Transport Control GmbH¦Cue¦KOAMTAC INC.¦Loopshore Oy¦Niruha Systems Private Limited
        077C radius co., ltd.¦Sensority, s.r.o.¦Sparkage Inc.¦Glenview Software Corporation¦Finch Technologies Ltd.
        0781 Qingping Technology (Beijing) Co., Ltd.¦DeviceDrive AS¦ESEMBER LIMITED LIABILITY COMPANY
        0784 audifon GmbH & Co. KG¦O2 Micro, Inc.¦HLP Controls Pty Limited
        0788 BubblyNet, LLC¦PCB Piezotronics, Inc.¦The Wildflower Foundation¦Optikam Tech Inc.¦MINIBREW HOLDING B.V
        078D Cybex GmbH¦FUJIMIC NIIGATA, INC.¦Hanna Instruments, Inc.¦KOMPAN A/S¦Scosche Industries, Inc.¦Cricut, Inc.
        0793 AEV spol. s r.o.¦The Coca-Cola Company¦GASTEC CORPORATION¦StarLeaf Ltd¦Water-i.d. GmbH¦HoloKit, Inc.
        0799 PlantChoir Inc.¦GuangDong Oppo Mobile Telecommunications Corp., Ltd.¦CST ELECTRONICS (PROPRIETARY) LIMITED
        079C Sky UK Limited¦Digibale Pty Ltd¦Smartloxx GmbH¦Pune Scientific LLP¦Regent Beleuchtungskorper AG
        07A1 Apollo Neuroscience, Inc.¦Roku, Inc.
        07A4 Xiamen Mage Information Technology Co., Ltd.¦RAB Lighting, Inc.¦Musen Connect, Inc.¦Zume, Inc.¦conbee GmbH
        07A9 Bruel & Kjaer Sound & Vibration¦The Kroger Co.¦Granite River Solutions, Inc.¦LoupeDeck Oy
        07AD New H3C Technologies Co.,Ltd¦Aurea Solucoes Tecnologicas Ltda.¦Hong Kong Bouffalo Lab Limited
        07B0 GV Concepts Inc.¦Thomas Dynamics, LLC¦Moeco IOT Inc.¦2N TELEKOMUNIKACE a.s.¦Hormann KG Antriebstechnik
        07B5 CRONO CHIP, S.L.¦Soundbrenner Limited¦ETABLISSEMENTS GEORGES RENAULT¦iSwip¦Epona Biotec Limited
        07BA Battery-Biz Inc.¦EPIC S.R.L.¦KD CIRCUITS LLC¦Genedrive Diagnostics Ltd¦Axentia Technologies AB¦REGULA Ltd.
        07C0 Biral AG
        07C2 Radinn AB¦CIMTechniques, Inc.¦Johnson Health Tech NA¦June Life, Inc.¦Bluenetics GmbH¦iaconicDesign Inc.
        07C8 WRLDS Creations AB¦Skullcandy, Inc.¦Modul-System HH AB¦West Pharmaceutical Services, Inc.
        07CC Barnacle Systems Inc.¦Smart Wave Technologies Canada Inc¦Shanghai Top-Chip Microelectronics Tech. Co., LTD
        07CF NeoSensory, Inc.¦Hangzhou Tuya Information Technology Co., Ltd¦Shanghai Panchip Microelectronics Co., Ltd
        07D2 React Accessibility Limited¦LIVNEX Co.,Ltd.¦Kano Computing Limited¦hoots classic GmbH¦ecobee Inc.
        07D7 Nanjing Qinheng Microelectronics Co., Ltd¦SOLUTIONS AMBRA INC.¦Micro-Design, Inc.¦STARLITE Co., Ltd.
        07DB Remedee Labs¦ThingOS GmbH & Co KG¦Linear Circuits¦Unlimited Engineering SL¦Snap-on Incorporated
        07E0 Edifier International Limited¦Lucie Labs¦Alfred Kaercher SE & Co. KG¦Airoha Technology Corp.¦Geeksme S.L.
        07E5 Minut, Inc.¦Waybeyond Limited¦Komfort IQ, Inc.¦Packetcraft, Inc.¦Häfele GmbH & Co KG¦ShapeLog, Inc.
        07EB NOVABASE S.R.L.¦Frecce LLC¦Joule IQ, INC.¦KidzTek LLC¦Aktiebolaget Sandvik Coromant¦e-moola.com Pty Ltd
        07F1 Zimi Innovations Pty Ltd¦SERENE GROUP, INC¦DIGISINE ENERGYTECH CO. LTD.
        07F4 MEDIRLAB Orvosbiologiai Fejleszto Korlatolt Felelossegu Tarsasag¦Byton North America Corporation
        07F6 Shenzhen TonliScience and Technology Development Co.,Ltd¦Cesar Systems Ltd.¦quip NYC Inc.
        07F9 Direct Communication Solutions, Inc.¦Klipsch Group, Inc.¦Access Co., Ltd¦Renault SA¦JSK CO., LTD.¦BIROTA
        07FF maxon motor ltd.¦Optek¦CRONUS ELECTRONICS LTD¦NantSound, Inc.¦Domintell s.a.¦Andon Health Co.,Ltd
        0805 Urbanminded Ltd¦TYRI Sweden AB¦ECD Electronic Components GmbH Dresden¦SISTEMAS KERN, SOCIEDAD ANÓMINA
        0809 Trulli Audio¦Altaneos¦Nanoleaf Canada Limited¦Ingy B.V.¦Azbil Co.¦TATTCOM LLC¦Paradox Engineering SA
        0810 LECO Corporation¦Becker Antriebe GmbH¦Mstream Technologies., Inc.¦Flextronics International USA Inc.
        0814 Ossur hf.¦SKC Inc¦SPICA SYSTEMS LLC¦Wangs Alliance Corporation¦tatwah SA¦Hunter Douglas Inc¦Shenzhen Conex
        081B DIM3¦Bobrick Washroom Equipment, Inc.¦Potrykus Holdings and Development LLC¦iNFORM Technology GmbH
        081F eSenseLab LTD¦Brilliant Home Technology, Inc.¦INOVA Geophysical, Inc.¦adafruit industries¦Nexite Ltd
        0824 8Power Limited¦CME PTE. LTD.¦Hyundai Motor Company¦Kickmaker
        0828 Shanghai Suisheng Information Technology Co., Ltd.¦HEXAGON METROLOGY DIVISION ROMER¦Mitutoyo Corporation
        082B shenzhen fitcare electronics Co.,Ltd¦INGICS TECHNOLOGY CO., LTD.¦INCUS PERFORMANCE LTD.¦ABB S.p.A.
        082F Blippit AB
        0831 Foxble, LLC¦Intermotive,Inc.¦Conneqtech B.V.¦RIKEN KEIKI CO., LTD.,¦Canopy Growth Corporation¦Bitwards Oy
        0837 vivo Mobile Communication Co., Ltd.¦Etymotic Research, Inc.¦A puissance 3
        083A BPW Bergische Achsen Kommanditgesellschaft¦Piaggio Fast Forward¦BeerTech LTD¦Tokenize, Inc.¦Zorachka LTD
        083F D-Link Corp.¦Down Range Systems LLC¦General Luminaire (Shanghai) Co., Ltd.
        0842 Tangshan HongJia electronic technology co., LTD.¦FRAGRANCE DELIVERY TECHNOLOGIES LTD¦Pepperl + Fuchs GmbH
        0845 Dometic Corporation¦USound GmbH¦DNANUDGE LIMITED¦JUJU JOINTS CANADA CORP.¦Dopple Technologies B.V.¦ARCOM
        084B Biotechware SRL¦ORSO Inc.¦SafePort¦Carol Cole Company¦Embedded Fitness B.V.
        0850 Yealink (Xiamen) Network Technology Co.,LTD¦Subeca, Inc.¦Cognosos, Inc.¦Pektron Group Limited
        0854 Tap Sound System¦Helios Sports, Inc.¦Canopy Growth Corporation¦Parsyl Inc¦SOUNDBOKS¦BlueUp¦DAKATECH
        085B Nisshinbo Micro Devices Inc.¦ACOS CO.,LTD.¦Guilin Zhishen Information Technology Co.,Ltd.¦Krog Systems LLC
        0860 Alflex Products B.V.¦SmartSensor Labs Ltd¦SmartDrive¦Yo-tronics Technology Co., Ltd.¦Rafaelmicro
        0865 Emergency Lighting Products Limited¦LAONZ Co.,Ltd¦Western Digital Techologies, Inc.¦WIOsense GmbH & Co. KG
        0869 EVVA Sicherheitstechnologie GmbH¦Odic Incorporated¦Pacific Track, LLC¦Revvo Technologies, Inc.
        086D Biometrika d.o.o.¦Vorwerk Elektrowerke GmbH & Co. KG¦Trackunit A/S¦Wyze Labs, Inc¦Dension Elektronikai Kft.
        0872 11 Health & Technologies Limited¦Innophase Incorporated¦Treegreen Limited¦Berner International LLC
        0876 SmartResQ ApS¦Valtech¦The Chamberlain Group, Inc.¦MIZUNO Corporation¦ZRF, LLC¦BYSTAMP¦Crosscan GmbH
        087D Konftel AB¦1bar.net Limited¦Phillips Connect Technologies LLC¦imagiLabs AB¦Optalert¦PSYONIC, Inc.
        0883 Wintersteiger AG¦Controlid Industria, Comercio de Hardware e Servicos de Tecnologia Ltda
        0886 Movella Technologies B.V.¦Hydro-Gear Limited Partnership¦EnPointe Fencing Pty Ltd¦XANTHIO¦sclak s.r.l.
        088B Tricorder Arraay Technologies LLC¦GB Solution co.,Ltd¦Soliton Systems K.K.
        088F Tait International Limited¦NICHIEI INTEC CO., LTD.¦SmartWireless GmbH & Co. KG
        0892 Ingenieurbuero Birnfeld UG (haftungsbeschraenkt)¦Maytronics Ltd¦EPIFIT¦Gimer medical¦Nokian Renkaat Oyj
        0897 Current Lighting Solutions LLC¦Sensibo, Inc.¦SFS unimarket AG¦Private limited company "Teltonika"
        089B Saucon Technologies¦Embedded Devices Co. Company¦J-J.A.D.E. Enterprise LLC¦i-SENS, inc.
        089F Witschi Electronic Ltd¦Aclara Technologies LLC¦EXEO TECH CORPORATION¦Epic Systems Co., Ltd.¦Hoffmann SE
        08A4 Realme Chongqing Mobile Telecommunications Corp., Ltd.
        08A6 Intelligenceworks Inc.¦TGR 1.618 Limited¦Shanghai Kfcube Inc¦Fraunhofer IIS¦SZ DJI TECHNOLOGY CO.,LTD
        08AB Coburn Technology, LLC¦Topre Corporation¦Kayamatics Limited¦Moticon ReGo AG¦Polidea Sp. z o.o.
        08B0 Trivedi Advanced Technologies LLC¦CORE|vision BV¦PF SCHWEISSTECHNOLOGIE GMBH¦IONIQ Skincare GmbH & Co. KG
        08B4 Sengled Co., Ltd.¦TransferFi¦Boehringer Ingelheim Vetmedica GmbH¦ABB Inc¦Check Technology Solutions LLC
        08B9 U-Shin Ltd.¦HYPER ICE, INC.¦Tokai-rika co.,ltd.¦Prevayl Limited¦bf1systems limited¦ubisys technologies GmbH
        08BF SIRC Co., Ltd.¦Accent Advanced Systems SLU¦Rayden.Earth LTD¦Lindinvent AB¦CHIPOLO d.o.o.
        08C5 J. Wagner GmbH¦Integra Optics Inc¦Monadnock Systems Ltd.¦Liteboxer Technologies Inc.¦Noventa AG
        08CA Nubia Technology Co.,Ltd.¦JT INNOVATIONS LIMITED¦TGM TECHNOLOGY CO., LTD.¦ifly¦ZIMI CORPORATION
        08CF betternotstealmybike UG (with limited liability)¦ESTOM Infotech Kft.¦Sensovium Inc.¦Virscient Limited
        08D3 Novel Bits, LLC¦ADATA Technology Co., LTD.¦KEYes
        08D7 Inovonics Corp¦WARES¦Pointr Labs Limited¦Miridia Technology Incorporated¦Tertium Technology
        08DC SHENZHEN AUKEY E BUSINESS CO., LTD¦code-Q¦TE Connectivity Corporation¦IRIS OHYAMA CO.,LTD.
        08E0 Philia Technology¦KOZO KEIKAKU ENGINEERING Inc.¦Shenzhen Simo Technology co. LTD¦Republic Wireless, Inc.
        08E4 Rashidov ltd¦Crowd Connected Ltd¦Eneso Tecnologia de Adaptacion S.L.¦Barrot Technology Co.,Ltd.¦Naonext
        08E9 Taiwan Intelligent Home Corp.¦COWBELL ENGINEERING CO.,LTD.¦Beijing Big Moment Technology Co., Ltd.
        08EC Denso Corporation¦IMI Hydronic Engineering International SA¦Askey Computer Corp.
        08EF Cumulus Digital Systems, Inc¦Joovv, Inc.¦The L.S. Starrett Company¦Microoled
        08F3 PSP - Pauli Services & Products GmbH¦Kodimo Technologies Company Limited
        08F5 Tymtix Technologies Private Limited¦Dermal Photonics Corporation¦MTD Products Inc & Affiliates
        08F8 instagrid GmbH¦Spacelabs Medical Inc.¦Troo Corporation¦Darkglass Electronics Oy¦Hill-Rom
        08FD BioIntelliSense, Inc.¦Ketronixs Sdn Bhd¦Plastimold Products, Inc¦Beijing Zizai Technology Co., LTD.¦Lucimed
        0902 TSC Auto-ID Technology Co., Ltd.¦DATAMARS, Inc.¦SUNCORPORATION¦Yandex Services AG
        0906 Scope Logistical Solutions¦User Hello, LLC¦Pinpoint Innovations Limited¦70mai Co.,Ltd.
        090A Zhuhai Hoksi Technology CO.,LTD¦EMBR labs, INC¦Radiawave Technologies Co.,Ltd.¦IOT Invent GmbH
        090E OPTIMUSIOT TECH LLP¦VC Inc.¦ASR Microelectronics (Shanghai) Co., Ltd.¦Douglas Lighting Controls Inc.
        0912 Nerbio Medical Software Platforms Inc¦Braveheart Wireless, Inc.¦INEO-SENSE¦Honda Motor Co., Ltd.
        0916 Ambient Sensors LLC¦ASR Microelectronics(ShenZhen)Co., Ltd.¦Technosphere Labs Pvt. Ltd.¦NO SMD LIMITED
        091A Albertronic BV¦Luminostics, Inc.¦Oblamatik AG¦Innokind, Inc.¦Melbot Studios, Sociedad Limitada
        091F Myzee Technology
        0921 KAHA PTE. LTD.¦Shanghai MXCHIP Information Technology Co., Ltd.¦JSB TECH PTE LTD
        0924 Fundacion Tecnalia Research and Innovation¦Yukai Engineering Inc.¦Gooligum Technologies Pty Ltd¦ROOQ GmbH
        0928 AiRISTA¦Qingdao Haier Technology Co., Ltd.¦Sappl Verwaltungs- und Betriebs GmbH¦TekHome¦PCI Private Limited
        092D Leggett & Platt, Incorporated¦PS GmbH¦C.O.B.O. SpA¦James Walker RotaBolt Limited¦BREATHINGS Co., Ltd.
        0932 BarVision, LLC¦SRAM¦KiteSpring Inc.¦Reconnect, Inc.¦Elekon AG¦RealThingks GmbH¦Henway Technologies, LTD.
        0939 ASTEM Co.,Ltd.¦LinkedSemi Microelectronics (Xiamen) Co., Ltd¦ENSESO LLC¦Xenoma Inc.
        093D Adolf Wuerth GmbH & Co KG¦Catalyft Labs, Inc.¦JEPICO Corporation¦Hero Workout GmbH¦Rivian Automotive, LLC
        0942 TRANSSION HOLDINGS LIMITED
        0944 Agitron d.o.o.¦Globe (Jiangsu) Co., Ltd¦AMC International Alfa Metalcraft Corporation AG
        0947 First Light Technologies Ltd.¦Wearable Link Limited¦Metronom Health Europe¦Zwift, Inc.
        094B Kindeva Drug Delivery L.P.¦GimmiSys GmbH¦tkLABS INC.¦PassiveBolt, Inc.
        094F Limited Liability Company "Mikrotikls"¦Capetech¦PPRS¦Apptricity Corporation¦LogiLube, LLC¦Julbo
        0955 Breville Group¦Kerlink¦Ohsung Electronics¦ZTE Corporation¦HerdDogg, Inc
        095B Lismore Instruments Limited¦LogiLube, LLC¦Electronic Theatre Controls¦BioEchoNet inc.¦NUANCE HEARING LTD
        0960 Sena Technologies Inc.¦Linkura AB¦GL Solutions K.K.¦Moonbird BV¦Countrymate Technology Limited
        0965 Asahi Kasei Corporation¦PointGuard, LLC¦Neo Materials and Consulting Inc.¦Actev Motors, Inc.
        0969 Woan Technology (Shenzhen) Co., Ltd.¦dricos, Inc.¦Guide ID B.V.¦9374-7319 Quebec inc¦Gunwerks, LLC
        096E Band Industries, inc.¦Lund Motion Products, Inc.¦IBA Dosimetry GmbH¦GA
        0972 Closed Joint Stock Company "Zavod Flometr" ("Zavod Flometr" CJSC)¦Popit Oy¦ABEYE
        0975 BlueIOT(Beijing) Technology Co.,Ltd¦Fauna Audio GmbH¦TOYOTA motor corporation¦ZifferEins GmbH & Co. KG
        0979 BIOTRONIK SE & Co. KG¦CORE CORPORATION¦CTEK Sweden AB¦Thorley Industries, LLC¦CLB B.V.¦SonicSensory Inc
        097F ISEMAR S.R.L.¦DEKRA TESTING AND CERTIFICATION, S.A.U.¦Bernard Krone Holding SE & Co.KG¦ELPRO-BUCHS AG
        0983 Feedback Sports LLC¦TeraTron GmbH¦Lumos Health Inc.¦Cello Hill, LLC¦TSE BRAKES, INC.
        0988 BHM-Tech Produktionsgesellschaft m.b.H¦WIKA Alexander Wiegand SE & Co.KG¦Biovigil
        098B Mequonic Engineering, S.L.¦bGrid B.V.
        098E ADVEEZ¦Aktiebolaget Regin¦Anton Paar GmbH¦Telenor ASA¦Big Kaiser Precision Tooling Ltd
        0993 Absolute Audio Labs B.V.¦VT42 Pty Ltd¦Bronkhorst High-Tech B.V.¦C. & E. Fein GmbH¦NextMind
        0998 Pixie Dust Technologies, Inc.¦eTactica ehf¦New Audio LLC¦Sendum Wireless Corporation
        099C deister electronic GmbH¦YKK AP Inc.¦Step One Limited¦Koya Medical, Inc.¦Proof Diagnostics, Inc.
        09A1 VOS Systems, LLC¦ENGAGENOW DATA SCIENCES PRIVATE LIMITED¦ARDUINO SA¦KUMHO ELECTRICS, INC
        09A5 Security Enhancement Systems, LLC¦BEIJING ELECTRIC VEHICLE CO.,LTD¦Paybuddy ApS¦KHN Solutions LLC
        09A9 Nippon Ceramic Co.,Ltd.¦PHOTODYNAMIC INCORPORATED¦DashLogic, Inc.¦Ambiq¦Narhwall Inc.¦Pozyx NV
        09AF ifLink Open Community¦Deublin Company, LLC¦BLINQY¦DYPHI¦BlueX Microelectronics Corp Ltd.¦PentaLock Aps.
        09B5 AUTEC Gesellschaft fuer Automationstechnik mbH¦Pegasus Technologies, Inc.¦Bout Labs, LLC¦PlayerData Limited
        09B9 SAVOY ELECTRONIC LIGHTING¦Elimo Engineering Ltd¦SkyStream Corporation¦Aerosens LLC
        09BD Centre Suisse d'Electronique et de Microtechnique SA¦Vessel Ltd.¦Span.IO, Inc.¦AnotherBrain inc.¦Rosewill
        09C2 Universal Audio, Inc.¦JAPAN TOBACCO INC.¦UVISIO¦HungYi Microelectronics Co.,Ltd.¦Honor Device Co., Ltd.
        09C7 Combustion, LLC¦XUNTONG¦CrowdGlow Ltd¦Mobitrace¦Hx Engineering, LLC¦Senso4s d.o.o.
        09CE Julius Blum GmbH¦BlueStreak IoT, LLC¦Chess Wise B.V.¦ABLEPAY TECHNOLOGIES AS
        09D2 Temperature Sensitive Solutions Systems Sweden AB
        09D4 ORBIS Inc.¦GEAR RADIO ELECTRONICS CORP.
        09D6 EAR TEKNIK ISITME VE ODIOMETRI CIHAZLARI SANAYI VE TICARET ANONIM SIRKETI¦Coyotta
        09D8 Synergy Tecnologia em Sistemas Ltda¦VivoSensMedical GmbH¦Nagravision SA¦Bionic Avionics Inc.¦AON2 Ltd.
        09DD Innoware Development AB¦JLD Technology Solutions, LLC¦Magnus Technology Sdn Bhd
        09E1 Tag-N-Trac Inc¦Wuhan Linptech Co.,Ltd.¦Friday Home Aps¦CPS AS¦Mobilogix¦Masonite Corporation
        09E7 Kabushikigaisha HANERON¦Melange Systems Pvt. Ltd.¦LumenRadio AB¦Athlos Oy¦KEAN ELECTRONICS PTY LTD
        09EC Yukon advanced optics worldwide, UAB¦Sibel Inc.¦OJMAR SA¦Steinel Solutions AG¦WatchGas B.V.
        09F1 OM Digital Solutions Corporation¦Audeara Pty Ltd¦Beijing Zero Zero Infinity Technology Co.,Ltd.
        09F4 Spectrum Technologies, Inc.¦OKI Electric Industry Co., Ltd¦Mobile Action Technology Inc.¦SENSATEC Co., Ltd.
        09F8 R.O. S.R.L.¦Hangzhou Yaguan Technology Co. LTD¦Listen Technologies Corporation¦TOITU CO., LTD.¦Confidex
        09FD Keep Technologies, Inc.¦Lichtvision Engineering GmbH¦AIRSTAR¦Ampler Bikes OU¦Cleveron AS
        0A02 Ayxon-Dynamics GmbH¦donutrobotics Co., Ltd.¦Flosonics Medical¦Southwire Company, LLC
        0A06 Shanghai wuqi microelectronics Co.,Ltd¦Reflow Pty Ltd¦Oras Oy
        0A0A Volan Technology Inc.¦SIANA Systems¦Shanghai Yidian Intelligent Technology Co., Ltd.¦Blue Peacock GmbH
        0A0E Roland Corporation¦LIXIL Corporation¦SUBARU Corporation¦Sensolus¦Dyson Technology Limited
        0A13 Tec4med LifeScience GmbH¦CROXEL, INC.¦Syng Inc¦RIDE VISION LTD¦Plume Design Inc
        0A18 Cambridge Animal Technologies Ltd¦Maxell, Ltd.¦Link Labs, Inc.¦Embrava Pty Ltd¦INPEAK S.C.¦API-K¦CombiQ AB
        0A1F DeVilbiss Healthcare LLC¦Jiangxi Innotech Technology Co., Ltd¦Apollogic Sp. z o.o.¦DAIICHIKOSHO CO., LTD.
        0A23 BIXOLON CO.,LTD¦Atmosic Technologies, Inc.¦Eran Financial Services LLC¦Louis Vuitton
        0A27 AYU DEVICES PRIVATE LIMITED¦NanoFlex Power Corporation¦Worthcloud Technology Co.,Ltd¦Yamaha Corporation
        0A2B PaceBait IVS¦Shenzhen H&T Intelligent Control Co., Ltd¦Shenzhen Feasycom Technology Co., Ltd.
        0A2F Instamic, Inc.¦Air-Weigh¦Nevro Corp.¦Pinnacle Technology, Inc.¦WMF AG¦Luxer Corporation¦safectory GmbH
        0A36 NGK SPARK PLUG CO., LTD.¦2587702 Ontario Inc.¦Bouffalo Lab (Nanjing)., Ltd.¦BLUETICKETING SRL
        0A3A Incotex Co. Ltd.¦Galileo Technology Limited¦Siteco GmbH¦DELABIE
        0A3F Shenzhen Yopeak Optoelectronics Technology Co., Ltd.
        0A41 OPEX Corporation¦Motionalysis, Inc.¦Busch Systems International Inc.¦Novidan, Inc.
        0A45 3SI Security Systems, Inc¦Beijing HC-Infinite Technology Limited¦The Wand Company Ltd¦JRC Mobility Inc.
        0A49 Venture Research Inc.¦Map Large, Inc.¦MistyWest Energy and Transport Ltd.
        0A4C SiFli Technologies (shanghai) Inc.¦Lockn Technologies Private Limited¦Toytec Corporation
        0A4F VANMOOF Global Holding B.V.¦Nextscape Inc.¦CSIRO¦Follow Sense Europe B.V.¦KKM COMPANY LIMITED
        0A54 SQL Technologies Corp.¦Inugo Systems Limited¦ambie¦Meizhou Guo Wei Electronics Co., Ltd¦Indigo Diabetes
        0A59 TourBuilt, LLC¦Sontheim Industrie Elektronik GmbH¦LEGIC Identsystems AG¦Innovative Design Labs Inc.
        0A5D MG Energy Systems B.V.
        0A5F stryker¦DATANG SEMICONDUCTOR TECHNOLOGY CO.,LTD¦Smart Parks B.V.¦MOKO TECHNOLOGY Ltd
        0A64 Geopal system A/S¦Lytx, INC.
        0A67 Beijing SuperHexa Century Technology CO. Ltd¦Focus Ingenieria SRL¦HAPPIEST BABY, INC.¦Scribble Design Inc.
        0A6B Olympic Ophthalmics, Inc.¦Pokkels¦KUUKANJYOKIN Co.,Ltd.¦Pac Sane Limited¦Warner Bros.¦Ooma¦Senquip Pty Ltd
        0A72 Jumo GmbH & Co. KG¦Innohome Oy¦MICROSON S.A.¦Delta Cycle Corporation¦Synaptics Incorporated¦AXTRO PTE. LTD.
        0A78 Shenzhen Sunricher Technology Limited¦Webasto SE¦Emlid Limited¦UniqAir Oy¦WAFERLOCK
        0A7D Freedman Electronics Pty Ltd¦KEBA Handover Automation GmbH¦Intuity Medical¦Cleer Limited
        0A81 Universal Biosensors Pty Ltd¦Corsair¦Rivata, Inc.¦Greennote Inc,¦Snowball Technology Co., Ltd.
        0A86 ALIZENT International¦Shanghai Smart System Technology Co., Ltd¦PSA Peugeot Citroen¦VusionGroup
        0A8A HAINBUCH GMBH SPANNENDE TECHNIK¦SANlight GmbH¦DelpSys, s.r.o.¦JCM TECHNOLOGIES S.A.¦Perfect Company
        0A8F TOTO LTD.¦Shenzhen Grandsun Electronic Co.,Ltd.¦Monarch International Inc.¦Carestream Dental LLC
        0A93 GiPStech S.r.l.¦OOBIK Inc.¦Pamex Inc.
        0A97 SensTek¦Foil, Inc.¦Shanghai high-flying electronics technology Co.,Ltd¦TEMKIN ASSOCIATES, LLC¦Eello LLC
        0A9C Xi'an Fengyu Information Technology Co., Ltd.¦Canon Finetech Nisca Inc.
        0A9F ista International GmbH¦Loy Tec electronics GmbH¦LINCOGN TECHNOLOGY CO. LIMITED¦Care Bloom, LLC
        0AA3 DIC Corporation¦FAZEPRO LLC¦Shenzhen Uascent Technology Co., Ltd¦Realityworks, inc.¦Urbanista AB
        0AA8 Zencontrol Pty Ltd¦Spintly, Inc.¦Computime International Ltd¦Anhui Listenai Co¦OSM HK Limited
        0AAD Adevo Consulting AB¦PS Engineering, Inc.¦AIAIAI ApS¦Visiontronic s.r.o.¦InVue Security Products Inc
        0AB2 TouchTronics, Inc.¦INNER RANGE PTY. LTD.¦Ellenby Technologies, Inc.¦Elstat Electronics Ltd.¦Xenter, Inc.
        0AB7 LogTag North America Inc.¦Sens.ai Incorporated¦STL¦Open Bionics Ltd.¦R-DAS, s.r.o.
        0ABC KCCS Mobile Engineering Co., Ltd.¦Inventas AS¦Robkoo Information & Technologies Co., Ltd.¦PAUL HARTMANN AG
        0AC0 Omni-ID USA, INC.¦Shenzhen Jingxun Technology Co., Ltd.
        0AC2 RealMega Microelectronics technology (Shanghai) Co. Ltd.¦Kenzen, Inc.¦CODIUM¦Flexoptix GmbH
        0AC6 Barnes Group Inc.¦Chengdu Aich Technology Co.,Ltd¦Keepin Co., Ltd.¦Swedlock AB
        0ACA Shenzhen CoolKit Technology Co., Ltd¦ise Individuelle Software und Elektronik GmbH¦Nuvoton
        0ACD Visuallex Sport International Limited¦KOBATA GAUGE MFG. CO., LTD.¦CACI Technologies¦Nordic Strong ApS
        0AD1 EAGLE KINGDOM TECHNOLOGIES LIMITED¦Lautsprecher Teufel GmbH¦SSV Software Systems GmbH
        0AD4 Zhuhai Pantum Electronisc Co., Ltd¦Streamit B.V.¦nymea GmbH¦AL-KO Geraete GmbH¦Franz Kaldewei GmbH&Co KG
        0AD9 Shenzhen Aimore. Co.,Ltd¦Codefabrik GmbH¦Reelables, Inc.¦Duravit AG¦Boss Audio¦Vocera Communications, Inc.
        0ADF Douglas Dynamics L.L.C.
        0AE3 GlobalMed¦DALI Alliance¦unu GmbH¦Hexology¦Sunplus Technology Co., Ltd.¦LEVEL, s.r.o.¦FLIR Systems AB
        0AEA Borda Technology¦Square, Inc.¦FUTEK ADVANCED SENSOR TECHNOLOGY, INC¦Saxonar GmbH¦Velentium, LLC
        0AEF GLP German Light Products GmbH¦Leupold & Stevens, Inc.¦CRADERS,CO.,LTD
        0AF2 Shanghai All Link Microelectronics Co.,Ltd¦701x Inc.¦Radioworks Microelectronics PTY LTD
        0AF5 Unitech Electronic Inc.¦AMETEK, Inc.¦Irdeto¦First Design System Inc.¦Unisto AG
        0AFA Chengdu Ambit Technology Co., Ltd.¦SMT ELEKTRONIK GmbH¦Cerebrum Sensor Technologies Inc.¦Weber Sensors, LLC
        0AFE Earda Technologies Co.,Ltd¦FUSEAWARE LIMITED¦Flaircomm Microelectronics Inc.¦RESIDEO TECHNOLOGIES, INC.
        0B02 IORA Technology Development Ltd. Sti.¦Precision Triathlon Systems Limited
        """#
}
