// Written by Scripts/assigned-numbers from bluetooth-numbers-database 5387e83bccbf; see Sources/Bluetooth/NOTICE.md.
extension AssignedNumbers {
    /// Companies by identifier.
    static let companyTable3 = #"""
        0B05 Marquardt GmbH¦FAZUA GmbH¦Workaround Gmbh¦Shenzhen Qianfenyi Intelligent Technology Co., LTD¦soonisys
        0B0A Belun Technology Company Limited¦Sanistaal A/S¦BluPeak¦SANYO DENKO Co.,Ltd.¦Minebea Access Solutions Inc.
        0B0F B.E.A. S.A.¦Alfa Laval Corporate AB¦ThermoWorks, Inc.¦ToughBuilt Industries LLC¦IOTOOLS¦Olumee
        0B15 NAOS JAPAN K.K.¦Guard RFID Solutions Inc.¦SIG SAUER, INC.¦DECATHLON SE¦WBS PROJECT H PTY LTD
        0B1A Roca Sanitario, S.A.¦Enerpac Tool Group Corp.¦Nanoleq AG¦Accelerated Systems¦PB INC.
        0B1F Beijing ESWIN Computing Technology Co., Ltd.¦TKH Security B.V.
        0B22 Hygiene IQ, LLC.¦iRhythm Technologies, Inc.¦BeiJing ZiJie TiaoDong KeJi Co.,Ltd.¦NIBROTECH LTD
        0B26 Baracoda Daily Healthtech.¦Lumi United Technology Co., Ltd¦CHACON¦Tech-Venom Entertainment Private Limited
        0B2B MAINBOT¦ILLUMAGEAR, Inc.¦REDARC ELECTRONICS PTY LTD¦MOCA System Inc.¦Duke Manufacturing Co¦ART SPA
        0B31 Silver Wolf Vehicles Inc.¦Hala Systems, Inc.¦ARMATURA LLC¦CONZUMEX INDUSTRIES PRIVATE LIMITED¦BH SENS
        0B36 SINTEF¦Omnivoltaic Energy Solutions Limited Company¦WISYCOM S.R.L.¦Red 100 Lighting Co., ltd.
        0B3A Impact Biosystems, Inc.¦AIC semiconductor (Shanghai) Co., Ltd.¦Dodge Industrial, Inc.¦REALTIMEID AS
        0B3E ISEO Serrature S.p.a.¦MindRhythm, Inc.¦Havells India Limited¦Sentrax GmbH¦TSI¦INCITAT ENVIRONNEMENT
        0B44 nFore Technology Co., Ltd.¦Electronic Sensors, Inc.
        0B47 Gentex Corporation¦NIO USA, Inc.¦SkyHawke Technologies¦Nomono AS¦EMS Integrators, LLC¦BiosBob.Biz
        0B4D Adam Hall GmbH¦ICP Systems B.V.¦Breezi.io, Inc.¦Mesh Systems LLC¦FUN FACTORY GmbH¦ZIIP Inc
        0B53 SHENZHEN KAADAS INTELLIGENT TECHNOLOGY CO.,Ltd¦Emotion Fitness GmbH & Co. KG
        0B55 H G M Automotive Electronics, Inc.¦BORA - Vertriebs GmbH & Co KG¦CONVERTRONIX TECHNOLOGIES AND SERVICES LLP
        0B58 TOKAI-DENSHI INC
        0B5B Shenzhen ImagineVision Technology Limited
        0B5D Fujian Newland Auto-ID Tech. Co., Ltd.¦CELLCONTROL, INC.¦Rivieh, Inc.¦RATOC Systems, Inc.¦Sentek Pty Ltd
        0B62 NOVEA ENERGIES¦Innolux Corporation¦NingBo klite Electric Manufacture Co.,LTD¦The Apache Software Foundation
        0B66 MITSUBISHI ELECTRIC AUTOMATION (THAILAND) COMPANY LIMITED¦CleanSpace Technology Pty Ltd¦Quha oy¦Addaday
        0B6A Dymo¦Samsara Networks, Inc¦Sensitech, Inc.¦SOLUM CO., LTD¦React Mobile
        0B70 JDRF Electromag Engineering Inc¦lilbit ODM AS¦Geeknet, Inc.¦HARADA INDUSTRY CO., LTD.¦BQN
        0B75 Triple W Japan Inc.¦MAX-co., ltd¦Aixlink(Chengdu) Co., Ltd.¦FIELD DESIGN INC.¦Sankyo Air Tech Co.,Ltd.
        0B7A Shenzhen KTC Technology Co.,Ltd.¦Hardcoder Oy¦Scangrip A/S¦FoundersLane GmbH¦Offcode Oy¦ICU tech GmbH
        0B80 AXELIFE¦SCM Group¦Mammut Sports Group AG¦Taiga Motors Inc.¦Presidio Medical, Inc.¦VIMANA TECH PTY LTD
        0B86 Trek Bicycle¦Ampetronic Ltd¦Muguang (Guangdong) Intelligent Lighting Technology Co., Ltd¦Rotronic AG
        0B8A Seiko Instruments Inc.¦American Technology Components, Incorporated¦MOTREX¦Pertech Industries Inc
        0B8E Gentle Energy Corp.¦Senscomm Semiconductor Co., Ltd.¦Ineos Automotive Limited¦Alfen ICU B.V.
        0B92 Citisend Solutions, SL¦Hangzhou BroadLink Technology Co., Ltd.¦Dreem SAS
        0B96 Telecom Design¦SILVER TREE LABS, INC.¦Gymstory B.V.¦The Goodyear Tire & Rubber Company
        0B9A Beijing Wisepool Infinite Intelligence Technology Co.,Ltd
        0B9C Komatsu Ltd.¦Sensoria Holdings LTD¦Audio Partnership Plc¦Group Lotus Limited¦Data Sciences International
        0BA1 Bunn-O-Matic Corporation¦TireCheck GmbH¦Sonova Consumer Hearing GmbH¦Vervent Audio Group
        0BA5 SONICOS ENTERPRISES, LLC¦Nissan Motor Co., Ltd.¦hearX Group (Pty) Ltd¦GLOWFORGE INC.¦Allterco Robotics ltd
        0BAA Infinitegra, Inc.¦Grandex International Corporation¦Machfu Inc.¦Roambotics, Inc.¦Soma Labs LLC
        0BAF NITTO KOGYO CORPORATION¦Ecolab Inc.¦Beijing ranxin intelligence technology Co.,LTD¦Fjorden Electra AS
        0BB3 Flender GmbH¦New Cosmos USA, Inc.¦Xirgo Technologies, LLC¦Build With Robots Inc.¦IONA Tech LLC
        0BB8 INNOVAG PTY. LTD.¦SaluStim Group Oy¦Huso, INC¦SWISSINNO SOLUTIONS AG¦T2REALITY SOLUTIONS PRIVATE LIMITED
        0BBE SAAB Aktiebolag¦HIMSA II K/S¦READY FOR SKY LLP¦Miele & Cie. KG¦EntWick Co.¦MCOT INC.
        0BC4 TECHTICS ENGINEERING B.V.¦Aperia Technologies, Inc.¦TCL COMMUNICATION EQUIPMENT CO.,LTD.¦Signtle Inc.
        0BC8 OTF Distribution, LLC¦Neuvatek Inc.¦Perimeter Technologies, Inc.¦Divesoft s.r.o.¦Sylvac sa¦Amiko srl
        0BCE Neurosity, Inc.¦LL Tec Group LLC¦Durag GmbH¦Hubei Yuan Times Technology Co., Ltd.¦IDEC
        0BD3 Procon Analytics, LLC¦ndd Medizintechnik AG¦Super B Lithium Power B.V.
        0BD6 Shenzhen Injoinic Technology Co., Ltd.¦VINFAST TRADING AND PRODUCTION JOINT STOCK COMPANY¦PURA SCENTS, INC.
        0BDA Aardex Ltd.¦CHAR-BROIL, LLC¦Ledworks S.r.l.¦Coroflo Limited¦Yale¦WINKEY ENTERPRISE (HONG KONG) LIMITED
        0BE0 Koizumi Lighting Technology corp.
        0BE2 OTC engineering¦Comtel Systems Ltd.¦Deepfield Connect GmbH¦ZWILLING J.A. Henckels Aktiengesellschaft
        0BE6 Puratap Pty Ltd¦Fresnel Technologies, Inc.¦Sensormate AG¦Shindengen Electric Manufacturing Co., Ltd.
        0BEA Twenty Five Seven, prodaja in storitve, d.o.o.¦Luna Health, Inc.¦Miracle-Ear, Inc.¦CORAL-TAIYI Co. Ltd.
        0BEE LINKSYS USA, INC.¦Safetytest GmbH¦KIDO SPORTS CO., LTD.¦Site IQ LLC¦Angel Medical Systems, Inc.
        0BF3 PONE BIOMETRICS AS
        0BF5 T5 tek, Inc.¦greenTEG AG¦Wacker Neuson SE¦Innovacionnye Resheniya
        0BFA CleanBands Systems Ltd.¦Dodam Enersys Co., Ltd¦T+A elektroakustik GmbH & Co.KG¦Esmé Solutions
        0BFE Media-Cartec GmbH¦Ratio Electric BV¦MQA Limited¦NEOWRK SISTEMAS INTELIGENTES S.A.¦Loomanet, Inc.¦Puff Corp
        0C04 Happy Health, Inc.¦Montage Connect, Inc.¦LED Smart Inc.¦CONSTRUKTS, INC.¦limited liability company "Red"
        0C09 Senic Inc.¦Automated Pet Care Products, LLC¦aconno GmbH¦Mendeltron, Inc.¦Mereltron bv¦ALEX DENKO CO.,LTD.
        0C0F AETERLINK¦Cosmed s.r.l.¦Gordon Murray Design Limited¦IoSA¦Scandinavian Health Limited¦Fasetto, Inc.
        0C15 Geva Sol B.V.¦TYKEE PTY. LTD.¦SomnoMed Limited¦CORROHM¦Arlo Technologies, Inc.
        0C1A Catapult Group International Ltd¦Rockchip Electronics Co., Ltd.¦GEMU¦OFF Line Japan Co., Ltd.
        0C1E EC sense co., Ltd¦LVI Co.¦COMELIT GROUP S.P.A.¦Foshan Viomi Electrical Technology Co., Ltd¦Glamo Inc.
        0C23 KEYTEC,Inc.¦SMARTD TECHNOLOGIES INC.¦JURA Elektroapparate AG¦Performance Electronics, Ltd.¦Pal Electronics
        0C28 Embecta Corp.¦DENSO AIRCOOL CORPORATION¦Caresix Inc.¦GigaDevice Semiconductor Inc.
        0C2C Zeku Technology (Shanghai) Corp., Ltd.¦OTF Product Sourcing, LLC¦Easee AS¦BEEHERO, INC.¦McIntosh Group Inc
        0C31 KINDOO LLP¦Xian Yisuobao Electronic Technology Co., Ltd.¦Exeger Operations AB¦BYD Company Limited
        0C35 Thermokon-Sensortechnik GmbH
        0C37 SignalQuest, LLC¦Noritz Corporation.¦TIGER CORPORATION
        0C3B ORB Innovations Ltd¦Classified Cycling¦Wrmth Corp.¦BELLDESIGN Inc.¦Stinger Equipment, Inc.¦HORIBA, Ltd.
        0C41 Control Solutions LLC¦Heath Consultants Inc.¦Berlinger & Co. AG¦ONCELABS LLC¦Brose Verwaltung SE, Bamberg
        0C46 Granwin IoT Technology (Guangzhou) Co.,Ltd¦Epsilon Electronics,lnc¦VALEO MANAGEMENT SERVICES¦twopounds gmbh
        0C4A atSpiro ApS¦ADTRAN, Inc.¦Orpyx Medical Technologies Inc.¦Seekwave Technology Co.,ltd.
        0C4E Tactile Engineering, Inc.¦SharkNinja Operating LLC¦Imostar Technologies Inc.¦INNOVA S.R.L.¦ESCEA LIMITED
        0C53 Taco, Inc.¦HiViz Lighting, Inc.¦Zintouch B.V.¦Rheem Sales Company, Inc.¦UNEEG medical A/S¦Hykso Inc.
        0C59 CYBERDYNE Inc.¦Lockswitch Sdn Bhd¦Alban Giacomo S.P.A.¦MGM WIRELESSS HOLDINGS PTY LTD¦StepUp Solutions ApS
        0C5E BlueID GmbH¦Wuxi Linkpower Microelectronics Co.,Ltd¦KEBA Energy Automation GmbH¦NNOXX, Inc
        0C62 Phiaton Corporation¦phg Peter Hengstler GmbH + Co. KG¦dormakaba Holding AG¦WAKO CO,.LTD
        0C67 TRACKTING S.R.L.¦Emerja Corporation¦BLITZ electric motors. LTD¦CONSORCIO TRUST CONTROL - NETTEL¦GILSON SAS
        0C6C SNIFF LOGIC LTD¦Fidure Corp.¦Sensa LLC¦Parakey AB¦SCARAB SOLUTIONS LTD
        0C71 BitGreen Technolabz (OPC) Private Limited¦StreetCar ORV, LLC¦Truma Gerätetechnik GmbH & Co. KG¦yupiteru
        0C75 Embedded Engineering Solutions LLC
        0C77 TEAC Corporation¦CHARGTRON IOT PRIVATE LIMITED¦Zhuhai Smartlink Technology Co., Ltd
        0C7A Triductor Technology (Suzhou), Inc.¦PT SADAMAYA GRAHA TEKNOLOGI¦Mopeka Products LLC¦3ALogics, Inc.
        0C7F Rochester Sensors, LLC¦CARDIOID - TECHNOLOGIES, LDA¦Carrier Corporation¦NACON¦Watchdog Systems LLC
        0C84 MAXON INDUSTRIES, INC.¦Amlogic, Inc.¦Qingdao Eastsoft Communication Technology Co.,Ltd
        0C87 Weltek Technologies Company Limited¦Nextivity Inc.¦AGZZX OPTOELECTRONICS TECHNOLOGY CO., LTD
        0C8A A.GLOBAL co.,Ltd.¦Heavys Inc¦T-Mobile USA¦tonies GmbH¦Technocon Engineering Ltd.
        0C8F Radar Automobile Sales(Shandong)Co.,Ltd.¦WESCO AG¦Yashu Systems¦Kesseböhmer Ergonomietechnik GmbH
        0C93 Movesense Oy¦Baxter Healthcare Corporation¦Gemstone Lights Canada Ltd.¦H+B Hightech GmbH¦Deako
        0C98 MiX Telematics International (PTY) LTD¦Vire Health Oy¦ALF Inc.¦NTT sonority, Inc.
        0C9C Sunstone-RTLS Ipari Szolgaltato Korlatolt Felelossegu Tarsasag¦Ribbiot, INC.¦ECCEL CORPORATION SAS
        0C9F Dragonfly Energy Corp.¦BIGBEN¦YAMAHA MOTOR CO.,LTD.¦XSENSE LTD¦MAQUET GmbH
        0CA4 MITSUBISHI ELECTRIC LIGHTING CO, LTD¦Princess Cruise Lines, Ltd.¦Megger Ltd¦Verve InfoTec Pty Ltd
        0CA8 Sonas, Inc.¦Mievo Technologies Private Limited¦Shenzhen Poseidon Network Technology Co., Ltd
        0CAB HERUTU ELECTRONICS CORPORATION¦Shenzhen Shokz Co.,Ltd.¦Shenzhen Openhearing Tech CO., LTD .
        0CAE Evident Corporation¦NEURINNOV¦SwipeSense, Inc.¦RF Creations¦SHINKAWA Sensor Technology, Inc.¦janova GmbH
        0CB4 Eberspaecher Climate Control Systems GmbH¦Racketry, d. o. o.¦THE EELECTRIC MACARON LLC
        0CB7 Cucumber Lighting Controls Limited
        0CB9 seca GmbH & Co. KG¦Ameso Tech (OPC) Private Limited¦Emlid Tech Kft.¦TROX GmbH¦Pricer AB
        0CBF Forward Thinking Systems LLC.¦Garnet Instruments Ltd.¦CLEIO Inc.¦Anker Innovations Limited¦HMD Global Oy
        0CC4 ABUS August Bremicker Soehne Kommanditgesellschaft¦Open Road Solutions, Inc.¦Serial Technology Corporation
        0CC7 SB C&S Corp.¦TrikThom¦Innocent Technology Co., Ltd.¦Cyclops Marine Ltd¦NOTHING TECHNOLOGY LIMITED
        0CCC Kord Defence Pty Ltd¦YanFeng Visteon(Chongqing) Automotive Electronic Co.,Ltd¦SENOSPACE LLC
        0CCF Shenzhen CESI Information Technology Co., Ltd.¦MooreSilicon Semiconductor Technology (Shanghai) Co., LTD.
        0CD1 Imagine Marketing Limited¦EQOM SSC B.V.¦TechSwipe¦Reoqoo IoT Technology Co., Ltd.¦Numa Products, LLC
        0CD6 HHO (Hangzhou) Digital Technology Co., Ltd.¦Maztech Industries, LLC¦SIA Mesh Group¦Minami acoustics Limited
        0CDA Wolf Steel ltd¦Circus World Displays Limited¦Ypsomed AG¦Alif Semiconductor, Inc.
        0CDF SHENZHEN CHENYUN ELECTRONICS CO., LTD¦VODALOGIC PTY LTD¦Regal Beloit America, Inc.¦CORVENT MEDICAL, INC.
        0CE3 Taiwan Fuhsing¦Off-Highway Powertrain Services Germany GmbH¦Amina Distribution AS
        0CE6 McWong International, Inc.¦TAG HEUER SA¦Dongguan Yougo Electronics Co.,Ltd.¦PEAG, LLC dba JLab Audio
        0CEA HAYWARD INDUSTRIES, INC.¦Shenzhen Tingting Technology Co. LTD¦Pacific Coast Fishery Services (2003) Inc.
        0CED CV. NURI TEKNIK¦MadgeTech, Inc¦POGS B.V.¦THOTAKA TEKHNOLOGIES INDIA PRIVATE LIMITED¦Midmark
        0CF3 Radio Sound¦SOLUX PTY LTD¦BOS Balance of Storage Systems AG¦OJ Electronics A/S¦TVS Motor Company Ltd.
        0CF8 core sensing GmbH¦Tamblue Oy¦Protect Animals With Satellites LLC¦Tyromotion GmbH¦ElectronX design
        0CFE Thule Group AB¦Ergodriven Inc¦Sparkpark AS¦KEEPEN¦Rocky Mountain ATV/MC Jake Wilson¦MakuSafe Corp
        0D04 Bartec Auto Id Ltd¦Energy Technology and Control Limited¦doubleO Co., Ltd.¦Datalogic S.r.l.
        0D08 Datalogic USA, Inc.¦Leica Geosystems AG¦CATEYE Co., Ltd.¦Research Products Corporation¦Planmeca Oy
        0D0D C.Ed. Schulte GmbH Zylinderschlossfabrik¦PetVoice Co., Ltd.¦Timebirds Australia Pty Ltd
        0D10 JVC KENWOOD Corporation
        0D12 Spartek Systems Inc.¦MERRY ELECTRONICS CO., LTD.¦Merry Electronics (S) Pte Ltd¦Spark
        0D16 Nations Technologies Inc.¦Akix S.r.l.¦Bioliberty Ltd¦C.G. Air Systemes Inc.¦Maturix ApS¦RACHIO, INC.
        0D1C LIMBOID LLC¦Electronics4All Inc.¦FESTINA LOTUS SA¦Synkopi, Inc.¦SCIENTERRA LIMITED¦Cennox Group Limited
        0D22 Cedarware, Corp.¦GREE Electric Appliances, Inc. of Zhuhai¦Japan Display Inc.
        0D25 System Elite Holdings Group Limited¦Burkert Werke GmbH & Co. KG¦velocitux¦FUJITSU COMPONENT LIMITED
        0D29 MIYAKAWA ELECTRIC WORKS LTD.¦PhysioLogic Devices, Inc.¦Sensoryx AG¦SIL System Integration Laboratory GmbH
        0D2D Cooler Pro, LLC¦Advanced Electronic Applications, Inc¦Delta Development Team, Inc
        0D30 Laxmi Therapeutic Devices, Inc.¦SYNCHRON, INC.¦Badger Meter¦Micropower Group AB
        0D34 ZILLIOT TECHNOLOGIES PRIVATE LIMITED¦Universidad Politecnica de Madrid
        0D36 XIHAO INTELLIGENGT TECHNOLOGY CO., LTD¦Zerene Inc.¦CycLock¦Systemic Games, LLC¦Frost Solutions, LLC
        0D3B Lone Star Marine Pty Ltd¦SIRONA Dental Systems GmbH¦bHaptics Inc.¦LUMINOAH, INC.¦Vogels Products B.V.
        0D40 SignalFire Telemetry, Inc.¦CPAC Systems AB¦TEKTRO TECHNOLOGY CORPORATION¦Gosuncn Technology Group Co., Ltd.
        0D44 Ex Makhina Inc.¦Odeon, Inc.¦Thales Simulation & Training AG¦Shenzhen DOKE Electronic Co., Ltd¦Vemcon GmbH
        0D49 Refrigerated Transport Electronics, Inc.¦Rockpile Solutions, LLC¦Soundwave Hearing, LLC
        0D4D Optec, LLC¦NIKAT SOLUTIONS PRIVATE LIMITED¦Movano Inc.¦NINGBO FOTILE KITCHENWARE CO., LTD.¦Genetus inc.
        0D52 DIVAN TRADING CO., LTD.¦Luxottica Group S.p.A¦ISEKI FRANCE S.A.S¦NO CLIMB PRODUCTS LTD¦Wellang.Co,.Ltd
        0D57 Nanjing Xinxiangyuan Microelectronics Co., Ltd.¦ifm electronic gmbh¦HYUPSUNG MACHINERY ELECTRIC CO., LTD.
        0D5A Gunnebo Aktiebolag¦Axis Communications AB
        0D5D Stogger B.V.¦Pella Corp¦SiChuan Homme Intelligent Technology co.,Ltd.¦Smart Products Connection, S.A.
        0D61 F.I.P. FORMATURA INIEZIONE POLIMERI - S.P.A.¦MEBSTER s.r.o.¦SKF France¦Southco¦Molnlycke Health Care AB
        0D66 Hendrickson USA , L.L.C¦BLACK BOX NETWORK SERVICES INDIA PRIVATE LIMITED¦Status Audio LLC
        0D69 AIR AROMA INTERNATIONAL PTY LTD¦Helge Kaiser GmbH¦Crane Payment Innovations, Inc.¦Ambient IoT Pty Ltd
        0D6D DYNAMOX S/A¦Look Cycle International¦Closed Joint Stock Company NVP BOLID¦Kindhome¦Kiteras Inc.
        0D72 Earfun Technology (HK) Limited¦iota Biosciences, Inc.¦ANUME s.r.o.¦Indistinguishable From Magic, Inc.
        0D76 i-focus Co.,Ltd¦DualNetworks SA¦MITACHI CO.,LTD.¦VIVIWARE JAPAN, Inc.¦Xiamen Intretech Inc.¦MindMaze SA
        0D7C BeiJing SmartChip Microelectronics Technology Co.,Ltd¦Taiko Audio B.V.¦Daihatsu Motor Co., Ltd.¦Konova
        0D80 Gravaa B.V.¦Beyerdynamic GmbH & Co. KG¦VELCO¦ATLANTIC SOCIETE FRANCAISE DE DEVELOPPEMENT THERMIQUE
        0D84 Testo SE & Co. KGaA¦SEW-EURODRIVE GmbH & Co KG¦ROCKWELL AUTOMATION, INC.
        0D87 Quectel Wireless Solutions Co., Ltd.
        0D89 Nanohex Corp¦Simply Embedded Inc.¦Software Development, LLC¦Ultimea Technology (Shenzhen) Limited
        0D8D RF Electronics Limited¦Optivolt Labs, Inc.¦Canon Electronics Inc.¦LAAS ApS¦Beamex Oy Ab
        0D92 TACHIKAWA CORPORATION¦HagerEnergy GmbH
        0D95 Hunter Industries Incorporated¦NEOKOHM SISTEMAS ELETRONICOS LTDA¦Zhejiang Huanfu Technology Co., LTD
        0D98 E.F. Johnson Company¦Caire Inc.¦Yeasound (Xiamen) Hearing Technology Co., Ltd¦Boxyz, Inc.
        0D9C Skytech Creations Limited¦Cear, Inc.¦Impulse Wellness LLC¦MML US, Inc¦SICK AG¦Fen Systems Ltd.¦KIWI.KI GmbH
        0DA3 Airgraft Inc.¦HP Tuners¦PIXELA CORPORATION¦Generac Corporation¦Novoferm tormatic GmbH¦Airwallet ApS
        0DA9 Inventronics GmbH¦Shenzhen EBELONG Technology Co., Ltd.¦Efento¦ITALTRACTOR ITM S.P.A.
        0DAE TITUM AUDIO, INC.¦Hexagon Aura Reality AG¦Invisalert Solutions, Inc.¦TELE System Communications Pte. Ltd.
        0DB2 Whirlpool¦SHENZHEN REFLYING ELECTRONIC CO., LTD¦Franklin Control Systems¦Djup AB¦SAFEGUARD EQUIPMENT, INC.
        0DB7 Morningstar Corporation¦Shenzhen Chuangyuan Digital Technology Co., Ltd¦CompanyDeep Ltd
        0DBA Veo Technologies ApS¦Nexis Link Technology Co., Ltd.¦Felion Technologies Company Limited¦MAATEL
        0DBE HELLA GmbH & Co. KGaA¦HWM-Water Limited¦Shenzhen Jahport Electronic Technology Co., Ltd.
        0DC1 NACHI-FUJIKOSHI CORP.¦Cirrus Research plc¦GEARBAC TECHNOLOGIES INC.
        0DC4 Hangzhou NationalChip Science & Technology Co.,Ltd¦DHL¦Levita¦MORNINGSTAR FX PTE. LTD.
        0DC8 ETO GRUPPE TECHNOLOGIES GmbH¦farmunited GmbH¦Aptener Mechatronics Private Limited¦GEOPH, LLC¦Trotec GmbH
        0DCD Astra LED AG¦NOVAFON - Electromedical devices limited liability company¦KUBU SMART LIMITED¦ESNAH
        0DD1 OrangeMicro Limited¦Fresh n Rebel B.V.¦Global Satellite Engineering¦KOQOON GmbH & Co.KG¦BEEPINGS
        0DD6 MODULAR MEDICAL, INC.¦Xiant Technologies, Inc.
        0DD9 SCHELL GmbH & Co. KG¦Minebea Intec GmbH¦KAGA FEI Co., Ltd.
        0DDC AUTHOR-ALARM, razvoj in prodaja avtomobilskih sistemov proti kraji, d.o.o.¦Tozoa LLC
        0DDE SHENZHEN DNS INDUSTRIES CO., LTD.¦Shenzhen Lunci Technology Co., Ltd¦KNOG PTY. LTD.
        0DE1 Outshiny India Private Limited¦TAMADIC Co., Ltd.¦Shenzhen MODSEMI Co., Ltd¦EMBEINT INC
        0DE5 Ehong Technology Co.,Ltd¦DEXATEK Technology LTD¦Dendro Technologies, Inc.¦Vivint, Inc.¦General Laser GmbH
        0DEA Kathrein Solutions GmbH¦Fitz Inc.¦ATEGENOS PHARMACEUTICALS INC¦Flextronic GmbH¦Safety Swim LLC
        0DEF SING SUN TECHNOLOGY (INTERNATIONAL) LIMITED¦Woncan (Hong Kong) Limited
        0DF1 iFLYTEK (Suzhou) Technology Co., Ltd.¦Weber-Stephen Products LLC¦hDrop Technologies Inc.¦REEKON TOOLS INC.
        0DF5 Delta Faucet Company¦Mutrack Co., Ltd¦Hangzhou Zhaotong Microelectronics Co., Ltd.
        0DF8 Chengdu CSCT Microelectronics Co., Ltd.¦Belusun Technology Ltd.¦Shenzhen Matches IoT Technology Co., Ltd.
        0DFB Beidou Intelligent Connected Vehicle Technology Co., Ltd.¦SOJI ELECTRONICS JOINT STOCK COMPANY
        0DFD BH Technologies¦Haptech, Inc.¦WaveRF, Corp.¦SHENZHEN SOUNDSOUL INFORMATION TECHNOLOGY CO.,LTD
        0E01 Wuhu Mengbo Technology Co., Ltd.¦PROSYS DEV LIMITED¦Shenzhen eMeet technology Co.,Ltd¦Doro AB
        0E05 SUREPULSE MEDICAL LIMITED¦iodyne, LLC¦Pinpoint GmbH¦Heinrich Kopp GmbH¦Evolutive Systems SL
        0E0B Sounding Audio Industrial Ltd.¦Yuanfeng Technology Co., Ltd.¦FrontAct Co., Ltd.
        0E0F SenseWorks Tecnologia Ltda.¦Eko Health, Inc.¦Wanzl GmbH & Co. KGaA¦CLEVER LOGGER TECHNOLOGIES PTY LIMITED
        0E13 ASYSTOM¦Heilongjiang Tianyouwei Electronics Co.,Ltd.¦Eastern Partner Limited
        0E16 Xiamen RUI YI Da Electronic Technology Co.,Ltd¦Ad Hoc Electronics, llc.
        0E18 Hangzhou Microimage Software Co.,Ltd.¦Hive-Zox International SA¦Sensovo GmbH¦Time Location Systems AS
        0E1C SHENZHEN DIGITECH CO., LTD¦Capte B.V.¦9512-5837 QUEBEC INC.¦Blecon Ltd
        0E20 CFLAB TEKNOLOJI TICARET LIMITED SIRKETI¦FOGO¦HITO INC¦MS kajak7 UG (limited liability)¦Avedis Zildjian Co.
        0E25 Hangzhou Hikvision Digital Technology Co., Ltd.¦LIHJOEN SPEED METER CO., LTD.¦NextSense, Inc.¦PatchRx, Inc.
        0E29 Flipper Devices Inc.¦Huizhou Foryou General Electronics Co., Ltd.¦JE electronic a/s¦9313-7263 Quebec inc.
        0E2D ECARX (Hubei) Tech Co.,Ltd.¦NIHON KOHDEN CORPORATION¦ONWI¦Primax Electronics Ltd.¦AlphaTheta Corporation
        0E32 PACIFIC INDUSTRIAL CO., LTD.¦Crescent NV¦Vermis, software solutions llc¦SNAPPWISH LLC¦Cousins and Sears LLC
        0E37 CESYS Gesellschaft für angewandte Mikroelektronik mbH¦SLOC GmbH¦IRES Infrarot Energie Systeme GmbH
        0E3A OFIVE LIMITED¦Swift IOT Tech (Shenzhen) Co., LTD.¦Viselabs¦Walmart Inc.¦VANBOX¦Wiser Devices, LLC
        0E40 WKD Labs Ltd¦Asustek Computer Inc.¦Z-ONE Technology Co., Ltd.¦InnoVision Medical Technologies, LLC
        0E44 QUANTATEC¦Filo Srl¦SOUNDUCT¦Hosiden Besson Limited¦KARLUNA MUHENDISLIK SANAYI VE TICARET ANONIM SIRKETI
        0E49 Deone (Shanghai) Communication & Technology Co., Ltd¦Nitto Denko Corporation
        0E4B PUDSEY DIAMOND ENGINEERING LIMITED¦Luxshare Precision Industry Co., Ltd.¦Brooksee, Inc.¦QSC, LLC
        0E4F eBet Gaming Sytems Pty Limited¦Zhejiang Desman Intelligent Technology Co., Ltd.¦Dyaco International Inc.
        0E52 Aquana, LLC¦MINIRIG¦Relief Technologies AS¦New Cosmos Electric Co., Ltd.¦INEPRO Metering B.V.¦Altina Inc.
        0E58 Urban Armor Gear, LLC¦Loewe Technology GmbH¦OmniWave Microelectronics Shanghai Co., Ltd
        0E5B Wuhu Hongjing Electronic Co.,Ltd¦Rocoto Ltd¦L.T.H. Electronics Limited¦SHAPER TOOLS, INC.¦Ruptela
        0E60 Ant Group Co., Ltd.¦Queclink Wireless Solutions Co., Ltd.¦GOKI PTY LTD¦LAST LOCK INC.
        0E64 HuiTong intelligence Company Limited¦Daikin Industries, LTD¦Shenzhen Baseus Technology Co., Ltd.
        0E67 NEXT DEVICES LTDA¦EarTex Ltd¦Megatronix (Beijing) Technology Co., Ltd¦Hyena Inc.
        0E6B Shenzhen Goodocom Information Technology Co., Ltd.¦RIGH, INC.¦FEVOS LIMITED
        0E6F OpConnect, Inc.¦Powerstick.com¦ENABLEWEAR LLC¦TOR.AI LIMITED
        0E73 Adventures of the Persistently Impaired (and other tales) Limited¦Rocky Radios LLC
        0E75 Le Touch (Shenzhen) Electronics Co., Ltd.¦Guangdong Nanguang Photo&Video Systems Co., Ltd.
        0E77 MOBILE TECH, INC.¦HONG KONG COMMUNICATIONS COMPANY LIMITED¦Neptune First OU¦Vivago Oy¦Circular¦final Inc.
        0E7D Jiangsu XinTongda Electric Technology Co.,Ltd.¦Archon Controls LLC¦SZR-Dev UG¦IQNEXXT Solutions GmbH
        0E81 Guangdong Hengqin Xingtong Technology Co.,ltd.¦CHEVALIER TECH LIMITED¦SPRiNTUS GmbH¦Tymphany HK Ltd
        0E85 TigerLight, Inc.¦Mercury Marine, a division of Brunswick Corporation¦OpenTech Alliance, Inc.
        0E88 Skewered Fencing, LLC¦Brudden¦Tele-Radio i Lysekil AB¦Allgon AB¦Gopod Group Holding Limited
        0E8D Celebrities Management Private Limited¦Nobest Inc¦Avetos Design LLC¦RainMaker Solutions, Inc.¦Identita Inc.
        0E92 Glutz AG¦MIV ELECTRONICS, LTD¦Tactrix¦Viaanix, Inc.¦Skeed,co,Ltd.¦kokoromil Inc.¦Chromatic Inc.
        0E99 Medibound, Inc.¦Scanbro OU¦Panasonic Automotive Systems Co., Ltd.¦Andrews & Arnold Ltd¦Audinor ApS
        0E9E Travelxp India Private Limited¦Owlet Baby Care Inc.¦ENLESS WIRELESS¦Culligan International Company
        0EA2 QIKCONNEX LLC¦OLIS ELECTRONICS, LLC¦BiTECH Automotive (Wuhu) Co.,Ltd¦EasyReach Solutions Private Limited
        0EA6 AMG Lab LLC¦BrickXter GmbH¦Dongguan Trangjan Industrial Co., Ltd¦Makichie Co., Ltd.¦Hive Soundz inc.
        0EAB STEYR Sport GmbH¦Dynetrex Solutions Inc.¦OPTRON Co., Ltd.¦BHClears Microelectronics (Shanghai) Co., Ltd.
        0EAF Unfolded Circle ApS¦FactorySense¦WearNex Limited¦PRADCO Outdoor Brands¦Zucchetti Axess¦BLUEFIN DATA, LLC
        0EB5 Preseed Japan Corporation¦Server Products, Inc.¦Embedded Solutions LLC¦PARAGON ID¦egojin co,.ltd¦THERMY LTD
        0EBB Asahi Denso Co.,Ltd.¦GP Acoustics International Limited¦Tongfang Health Technology (Beijing) Co., Ltd.
        0EBE Deity Acoustic Technology Co.¦Schulte-Schlagbaum AG¦WEST inx Ltd.¦Crossdoor¦High Entropy, LLC
        0EC3 Herschel Infrared Ltd¦PACIFIC MARINE BATTERIES PTY. LIMITED¦Alibaba (China) Co., Ltd.¦AuthGate B.V.
        0EC7 Canyon Bicycles GmbH¦Codie LLC¦NeuroPace Inc¦NexRev LLC
        0ECB Zhong Shan City Richsound Electronic Industrial Ltd.¦Shenzhen NEOECO Technology Co., Ltd.¦Nature Inc.
        0ECE Guangzhou Honor Microelectronic Co.,Ltd.¦GGEC America, Inc.¦Gibson, Inc.¦VINYL MATT MEDIA LIMITED
        0ED2 SHENZHEN BESTWAY ELECTRONICS CO.,LTD¦Lichens Innovation inc.¦Goerdyna Group Co., Ltd
        0ED5 Relish Technologies Limited¦Quintessential Design, Inc.¦CS INSTRUMENTS GmbH & Co.KG¦DORAN MFG. LLC
        0ED9 Overhead Door Corporation¦Kodira GmbH¦ShenZhen BoYiChuangXin¦Shenzhen Zoqin Technology Co., Ltd.
        0EDD Ceridwen Limited¦Sony Honda Mobility Inc.¦Dynaudio A/S¦MAERSK CONTAINER INDUSTRY A/S¦MA MICRO LIMITED
        0EE2 shenzhen hongever technology Co,. Ltd¦TAMRON Co., Ltd.¦CAPTEMP, LDA¦Ambient Life Inc.¦NOCTRIX HEALTH, INC
        0EE7 RICKARD AIR DIFFUSION (PTY) LTD¦SG Armaturen AS¦PIXEL TI IND. E COM PROD ELETRONICOS¦Core Devices LLC
        0EEB Fujita Electric Works, Ltd¦Willow Laboratories, Inc.¦BBC Bircher AG¦ELLEA INGEGNERIA SRL UNIPERSONALE
        0EEF Q42 Internet B.V.¦Seaward Electronic¦Wuxi Does IOT Co., Ltd¦CAPTAIN BLINK¦Monil AS
        0EF5 LS ELECTRIC Co., Ltd.¦Shenzhen Cyber Innovation Technology Co., Ltd.¦Trackonomy Systems, Inc.
        0EF8 IoT Solutions Malta Limited¦Aseptico, Inc.¦Sensear Pty Ltd¦BLUEPROVIDERZ LLC¦Jano Life Inc.¦PRIMES GmbH
        0EFE Teledyne Instruments, Inc.¦Healthcare Technology Limited¦TRACERCO LIMITED¦HAPPLABS SOFTWARE PRIVATE LIMITED
        0F02 GE HEALTHCARE TECHNOLOGIES INC.¦Olibra LLC¦Lumen Labs (HK) Ltd¦SHENZHEN GWSTAI TECHNOLOGY CO.,LTD
        0F06 SHENZHEN POWEROAK NEWENER CO., LTD¦Tech OVN Private Limited¦Lezyne USA Inc.¦ANC CHINA LIMITED
        0F0A LION GROUP, INC.¦Brightway Innovation Intelligent Technology (Suzhou) Co., Ltd.
        0F0C Hitachi Industrial Equipment Systems Co.,Ltd.¦Maennl Elektronik GmbH¦IDEATRONIK Limited Liability Company
        0F0F caive Inc.¦ShenZhen Doctors of Intelligence & Technology Co.,Ltd¦Deep and Steep LLC¦Endur ID, Inc.
        0F13 Freshape SA¦PreEvnt, LLC¦Oval Corporation¦ADHD Friendly co.Ltd¦RORENTECH Co., Ltd.¦iKeyless, LLC
        0F19 Shenzhen SuperSound Technology Co.,Ltd¦FLO SCIENCES, LLC¦PalatiumCare LLC¦Edge Semiconductors Inc.
        0F1D ZIMMERMANN PV-Steel Group GmbH & Co. KG¦Yolni Inc.¦Ninebot (Changzhou) Tech Co., Ltd.
        0F20 Beijing Spring Creation Technology Co., Ltd.¦Rokk Limited¦ONESPACE TECHNOLOGIES (PTY) LTD
        0F23 Yuquan Semiconductor (Xiamen) Co., Ltd.¦Easy Measure Co., Ltd.
        0F25 Sichuan Changhong Neonet Technologies Co.,Ltd.¦Centromere Holding B.V.¦Global Link Distribution Corp.
        0F28 Amp Fit Israel LTD¦Trezor Company s.r.o.¦KELLER Druckmesstechnik AG¦ElitEngineering LLC¦Vision Group Inc.
        0F2D ClipsClips LLC¦BRITZ INTERNATIONAL CO.,LTD¦ThingCo Limited¦Opal Camera, Inc.
        0F31 TECHNOLOGIES FOR FREERIDE s.r.o¦FLINTEC UK LIMITED¦TETNET¦NINGBO SHARKWARD ELECTRONICS CO.,LTD¦Audeze LLC
        0F36 NODER Joint Stock Company¦Schueco International KG¦GILL INSTRUMENTS LIMITED¦Seitron Spa
        0F3A Southern Audio Services, Inc¦SANWA NEWTEC CO.,LTD.¦Mobile Technology Solutions LLC¦Vitio Medical S.L.
        0F3E Salyx Medical Inc.¦Landig + Lava GmbH & Co. KG¦Health Data Insight C.I.C.¦BONX INC.
        0F42 LINKEDCHIP TECHNOLOGY INC¦12mm Health Technology (Hainan) Co., Ltd.
        0F44 MAVERICK ENERGY SOLUTIONS INTERNATIONAL,INC¦Tactica Defense LLC
        0F46 Huizhou Meicanxin Electronics Technology Co.,Ltd¦Lodestar Technology Inc.
        0F48 Shenzhen Xinfeiyi Technology Co., Ltd.¦IYO INC.¦Mitsubishi Motors Corporation¦desamisCo.,Ltd.
        0F4C JL WORLD CORPORATION LIMITED¦Qulinda AB¦Ningbo Dooya Mechanic & Electronic Technology Co., Ltd
        0F4F G-Vision GmbH¦Lantern Innovations Incorporated¦ebm-papst Mulfingen GmbH & Co. KGaA & Co. KG
        0F52 Shenzhen Yunke Intelligent Co.Ltd¦Fledt & Meiton Marin AB¦ContiTech Deutschland GmbH¦Sensoteq Ltd
        0F56 Astute Access Group Limited¦Silverlake Technologies¦Shenzhen Guo-link Technology Co.,Ltd.
        0F59 Silicon Vandals PTY LTD¦Vibe Energy B.V.¦shanghai fudan electronics group company Co. Ltd
        0F5C Micro Technology Services, Inc.¦Leapcraft ApS¦WUXI WEIDA INTELLIGENT ELECTRONICS CO.,LTD.¦ROBSON SRL
        0F60 Quilt Systems, Inc.¦HyolimXE Co., Ltd.¦Kehwin Technologies Co. Ltd.¦WATTER, Inc.¦SafeNow GmbH¦CZV, Inc
        0F66 BIGREDBEE, LLC¦White Eagle Sonic Technologies, Inc.¦Navico¦Ancoe Industry Corporation¦Roam Devices LLC
        0F6B Skywalk Inc.¦Biogents AG¦MODRETRO, INC.¦iSi Wearable Safety GmbH¦onanoff limited
        0F70 TECHFLITTER SOLUTIONS PRIVATE LIMITED¦PIRITIZ LLC¦FLORLINK, INC.¦Keycafe Inc.¦Sperry Labs LLC
        0F75 Senseonics, Incorporated¦simatec ag¦CROSS BRAIN CO.,Ltd.¦Also, Inc.
        0F79 Walter Mueller Inc. for Industrial Electronics¦SHENZHEN GUANG QI GUO CHUANG TECHNOLOGY CO.,LTD
        0F7B SKYROAM, INC.¦Polk Audio¦eQ-3 AG¦shenzhen Holyiot Technology Co.,Ltd¦Badass eBikes GmbH
        0F80 Hydro Electronic Devices, Inc.¦IN Phase International lTD¦Amon Co.Ltd.¦Calpeda S.p.A.¦KT Micro, Inc.
        0F85 Hangzhou Sciener Smart Technology Co., Ltd.¦Lakecrest Pty Ltd¦Anacove Inc.¦Kohler Ventures, Inc.
        0F89 STOREIO TECHNOLOGIES LTD¦Innogando S.L.¦A.Y. McDonald Mfg. Co.¦ROYAL PARTS CO.,LTD¦JUREN CO., LTD.
        0F8E Biceek Inc¦SIGNUM INTELLIGENCE LTD¦MOBI7 TECNOLOGIA EM MOBILIDADE S.A.¦Valostra Digital Ventures LLP
        0F92 Ethos Group, Inc.¦Aktiebolaget Ebeco¦IDX Company, Ltd.
        0F95 Dongguang Huasoo Automation Technology Company Limited¦SEIKOIST, INC¦SPX Aids to Navigation Oy¦Fitnexa Inc
        0F99 DEZINE GROUP LLC¦Eiritsu Electronics Industry Co., Ltd.¦Hanshow Technology Co.,Ltd.
        0F9C WePower Technologies LLC¦IRTrans GmbH¦Hibino Corporation¦Seiko Future Creation Inc.¦DP IOT
        0FA1 PALRED RETAIL PRIVATE LIMITED¦BIA NEUROSCIENCE INC.¦B.E.G. Brueck Electronic GmbH¦Nice Spa
        0FA5 Avanos Medical, Inc.¦Ugreen Group Limited¦spheretek japan¦Senti Technologies Private Limited
        0FA9 Ranch Systems, Inc.¦Suzhou Fanxi Technology Co., Ltd.¦Geo Radar AI Private Limited¦Flitsmeister B.V.
        0FAD The AI Toy Company¦Capacite¦Terasite Technologies¦General Resistance, LLC¦Avivomed Inc.¦PLAUD Inc.
        0FB3 Hooked Society Oy Ltd¦StoneDevices¦Hangzhou Nano IC Technologies Co,. Ltd¦TQ-Systems GmbH
        0FB7 Hapn Holdings, LLC¦SITERWELL ELECTRONICS CO.,LIMITED¦Shenzhen Mutual Technology Co., Ltd
        0FBA Cosonic Intelligent Technologies Co., Ltd.¦Rollease Acmeda, Inc.¦ATANS TECHNOLOGY INC.¦Locus Robotics Corp.
        0FBE TaigaIoT¦Tridentify AB¦Littlebird Connected Care, Inc.¦Air Automotive tracking Inc.¦ISSPRO, INC
        0FC3 Shenzhen Jimi loT Co.,Ltd¦FulScience Automotive Electronics Co., Ltd.¦Hypershell Co., Ltd¦ASD Lighting PLC
        0FC7 Pharox B.V.¦Eforthink Technology Co., Ltd.¦Zirbel Bike GmbH¦Legato Audio, Inc.¦Biocorp Production
        0FCC Neurotherapeutics Ltd¦Wimate Technology Solutions Pvt Ltd¦NOJA Power¦Nestlab AS¦Stark Future SL
        0FD1 Auranova LLC¦Domteknika S.A¦YDIIT Co., Ltd¦QRITAGYA LLP¦Telemacy Ltd¦LIOTYS¦Hondata, Inc.
        0FD8 SIVA Inotec Limited¦REMDEVICE S.R.L.¦NIVELCO PROCESS CONTROL CO.
        0FDC Beijing Hongsi Electronic Technology Co.,Ltd.
        103A FOSS Analytical A/S
        103D Blahaj Ltd¦Nextorage Corporation¦infyni¦Raspberry Pi¦Shenzhen Huasheng Jiaye Technology Co., Ltd
        1042 Namara Water Technologies, Inc¦Shanghai Holychip Electronic Co., Ltd.¦Rotarex S.A.
        1045 VOTRONIC Elektronik-Systeme GmbH¦EXELIO S.R.L.¦Yamaha Motor eBike Systems GmbH¦Ferrari s.p.a.
        1049 Anhui Ubico Advanced Manufacture Co., Ltd.¦Mueller-BBM Rail Technologies GmbH¦Yoto Limited
        104C LAUMAS Elettronica S.r.l.¦BUND MEDIA PTY. LTD.¦LSC Control Systems Pty Ltd¦Safety Lighting Research Pty Ltd
        1050 Hangzhou Sneuro Medical Co., Ltd.¦UnlimitedIRL LLC¦MAXTA TECH INC.¦Sensorworx, Inc.
        FFFF no company (for tests)
        """#
}
